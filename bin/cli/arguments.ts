/** The little of a command line that the client itself has to know. */

/** Global flags that take the next word as their value. See the list in rpc/global_flags.ts. */
const VALUE_FLAGS = /^--(session|tab|timeout|max-bytes|offset|out|proxy)$/;

export interface ClientArguments {
  /** The first word that is no global flag: the command's name. */
  command: string | undefined;
  /** The words before it. */
  globals: string[];
  mayStart: boolean;
  /** True for the commands that are meant for the daemon as it is, of whatever version. */
  takesAnyVersion: boolean;
  /** True when a lone `-` asks for standard input. */
  readsInput: boolean;
}

/** Looks through `argv` as far as the client must; everything in it is still the daemon's to judge. */
export function readArguments(argv: readonly string[]): ClientArguments {
  let at = 0;
  while (argv[at]?.startsWith("--")) at += VALUE_FLAGS.test(argv[at] ?? "") ? 2 : 1;
  const command = argv[at];
  return {
    command,
    globals: argv.slice(0, at),
    // Nobody starts a daemon to stop it.
    mayStart: command !== "stop" && !argv.includes("--no-start"),
    takesAnyVersion: command === "stop" || command === "restart",
    readsInput: argv.indexOf("-", at + 1) > 0,
  };
}
