/** The little of a command line that the client itself has to know. */

/** Global flags that take the next word as their value. See the list in rpc/line/global_flags.ts. */
const VALUE_FLAGS = /^--(session|tab|timeout|max-chars|offset|out|proxy)$/;

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
  /** True when what is piped in is the command's text although nothing asks for it: `… | browse chain`. */
  takesPipe: boolean;
  /** Of `--timeout`, as far as it can be read here; the daemon says what is wrong with another. */
  limitMs: number | undefined;
  /** Explained and not run. */
  isHelp: boolean;
}

/** They run what they are given, and do nothing without it. */
const TEXT_COMMANDS = /^(chain|batch|scan)$/;

/** See commands/duration.ts. */
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;
const UNITS: Record<string, number> = { s: 1e3, m: 6e4, h: 36e5 };

/** Looks through `argv` as far as the client must; everything in it is still the daemon's to judge. */
export function readArguments(argv: readonly string[]): ClientArguments {
  let at = 0;
  while (argv[at]?.startsWith("--")) at += VALUE_FLAGS.test(argv[at] ?? "") ? 2 : 1;
  const command = argv[at];
  const after = argv.slice(at + 1);
  const hasText = after.some((word, index) => !word.startsWith("--") && !VALUE_FLAGS.test(after[index - 1] ?? ""));
  return {
    command,
    globals: argv.slice(0, at),
    // Nobody starts a daemon to stop it.
    mayStart: command !== "stop" && !argv.includes("--no-start"),
    takesAnyVersion: command === "stop" || command === "restart",
    readsInput: argv.indexOf("-", at + 1) > 0,
    takesPipe: TEXT_COMMANDS.test(command ?? "") && !hasText,
    limitMs: limitOf(argv),
    isHelp: argv.includes("--help") || argv.includes("-h"),
  };
}

function limitOf(argv: readonly string[]): number | undefined {
  const at = argv.findLastIndex((word) => /^--timeout(=|$)/.test(word));
  const [, amount, unit = ""] = DURATION.exec(argv[at]?.slice(10) || (argv[at + 1] ?? "")) ?? [];
  return at < 0 || !amount ? undefined : Math.min(Number(amount) * (UNITS[unit] ?? 1), 864e5);
}
