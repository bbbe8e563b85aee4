/** The inner wall: how Node is started so that a script has its own folder to read, and nothing else. */

/** Of V8's heap; what is outside of that, `MemoryWatch` sees to. */
export const HEAP_MB = 256;
/** Of the whole process. */
export const MAX_PROCESS_BYTES = 512 * 1024 * 1024;

/** What a process is started with. */
export interface Started {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/**
 * The permission model leaves these ways out; each is closed for the whole process, before any script runs: `ATTACH` of SQLite opens any file, and
 * V8's flags (`--trace-turbo-path`) write some.
 */
const CLOSED = ["--no-experimental-sqlite", "--no-experimental-ffi", "--disable-sigusr1", "--no-addons"];
/** V8's own, which Node does not list: flags cannot be changed once it runs. */
const FROZEN = "--freeze-flags-after-init";
/** Of what the daemon itself has asked for. */
const QUIET = ["--disable-warning=ExperimentalWarning", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"];

/** A Node that runs `program` with the folder to read, no files to write, no network, processes, workers or addons. */
export function sandboxed(dir: string | undefined, program: readonly string[]): Started {
  return {
    command: process.execPath,
    args: [
      "--permission",
      ...(dir === undefined ? [] : [`--allow-fs-read=${dir}`]),
      ...CLOSED.filter(isKnown),
      FROZEN,
      `--max-old-space-size=${HEAP_MB}`,
      ...QUIET,
      ...program,
    ],
    env: { ...smallEnvironment(), BROWSE_IPC: "1" },
    cwd: dir ?? "/",
  };
}

/** Does this Node keep the permission model's promise about the network? It has one since version 25. */
export function hasNetworkWall(): boolean {
  return process.allowedNodeEnvironmentFlags.has("--allow-net");
}

function isKnown(flag: string): boolean {
  return (
    process.allowedNodeEnvironmentFlags.has(flag) ||
    process.allowedNodeEnvironmentFlags.has(flag.replace("--no-", "--"))
  );
}

const HARMLESS = /^(?:LANG|LC_[A-Z]+|TERM|TZ)$/;

/** Language and terminal, and nothing that is anybody's secret. */
function smallEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => HARMLESS.test(name)));
}
