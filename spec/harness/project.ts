/** A project of its own in a temporary folder, driven by the real client and daemon. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../../bin/cli/arguments.ts";
import { clientIn } from "./client.ts";
import { CommandLine } from "./command_line.ts";
import { isRunning, untilEnded } from "./is_running.ts";

/** What the client does by itself, or what ends the daemon that a connection leads to. */
const CLIENTS_OWN = new Set<string | undefined>([undefined, "-", "--version", "repl", "start", "stop", "restart"]);
/** Of a daemon's log, shown with a failure. */
const LOG_CHARS = 3_000;

export interface CliAnswer {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface DaemonFile {
  pid: number;
  port: number;
  token: string;
  version: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** The project's folder when absent. */
  cwd?: string;
  /** Told of the process, for tests that interfere with it. */
  onChild?: (child: ChildProcess) => void;
}

interface ProjectOptions {
  ownProcesses?: boolean;
  client?: string;
  below?: string;
  at?: string;
  openFiles?: number;
}

/** A mark on a line of its own, or behind the name of a step; with its line's end, which JSON escapes. */
const MARK = /(?:\\n|\n)?⟦\/page [0-9a-f]{8}⟧|⟦page [0-9a-f]{8}(?: [^⟧\n]*)?⟧(?:\\n|\n)/g;

function unmarked(text: string): string {
  return text.replace(MARK, "");
}

/** Calls in a journal that say how far it is written: no two alike in one that test files share. */
let marks = 0;

export class Project implements AsyncDisposable {
  readonly dir: string;
  readonly stateDir: string;
  readonly #root: string;
  readonly #env: Record<string, string>;
  readonly #hasOwnProcesses: boolean;
  readonly #client: [program: string, ...argv: string[]];
  #line: { daemon: DaemonFile; commands: CommandLine } | undefined;
  /** Where in the journal this project's part begins. */
  #journalStart = 0;

  /**
   * With `ownProcesses`, each command line is a client process, as it is for people. It takes that much longer.
   * `client` is the script of another one than the one built here; `below` is where in the temporary folder the project is, and `at`
   * is that folder. `openFiles` is how many files its processes may have open, each.
   */
  constructor(env: Record<string, string> = {}, options: ProjectOptions = {}) {
    const { ownProcesses = false, client = "", below = "", at, openFiles } = options;
    this.#root = at ?? realpathSync(mkdtempSync(join(tmpdir(), "browse-spec-")));
    this.dir = join(this.#root, below);
    this.stateDir = join(this.dir, ".browse");
    mkdirSync(this.dir, { recursive: true });
    this.#env = env;
    this.#hasOwnProcesses = ownProcesses;
    const program = client ? ([process.execPath, client] as const) : clientIn();
    this.#client =
      openFiles === undefined ? [...program] : ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...program];
  }

  /** Runs a command line; never throws for what it says. Without the marks around what a page says. */
  async cli(argv: readonly string[], options: CliOptions = {}): Promise<CliAnswer> {
    const answer = await this.printed(argv, options);
    return { ...answer, stdout: unmarked(answer.stdout) };
  }

  /** The same with all that is printed. */
  async printed(argv: readonly string[], options: CliOptions = {}): Promise<CliAnswer> {
    return (await this.#overConnection(argv, options)) ?? (await this.#byClient(argv, options));
  }

  /** Runs the client as a process of its own, and with it whatever starts a daemon. */
  async #byClient(
    argv: readonly string[],
    { env = {}, stdin, cwd = this.dir, onChild }: CliOptions = {},
  ): Promise<CliAnswer> {
    const child = this.start(argv, { env, cwd });
    onChild?.(child);
    // A client that does not read its input may have ended by now.
    child.stdin.on("error", () => {}).end(stdin ?? "");
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    child.once("error", reject).once("close", (code) => resolve(code ?? -1));
    return { exitCode: await promise, stdout, stderr };
  }

  /** Starts the client, for tests that listen to it while it runs. */
  start(
    argv: readonly string[],
    { env = {}, cwd = this.dir }: Pick<CliOptions, "env" | "cwd"> = {},
  ): ChildProcessWithoutNullStreams {
    const [program, ...script] = this.#client;
    return spawn(program, [...script, ...argv], {
      cwd,
      env: {
        ...process.env,
        BROWSE_STATE_DIR: this.stateDir,
        BROWSE_HOME: join(this.dir, "home"),
        ...this.#env,
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
  }

  /** Runs the client and gives its output; throws what it said when it failed. */
  async run(...argv: string[]): Promise<string> {
    const { stdout, stderr, exitCode } = await this.cli(argv);
    if (exitCode !== 0) throw new Error(`browse ${argv.join(" ")} ended with ${exitCode}: ${stderr}${this.#log()}`);
    return stdout.trimEnd();
  }

  /** The typed result of a command, without what the content guard says beside it. */
  async json(...argv: string[]): Promise<Record<string, unknown>> {
    const { untrusted: _, ...result } = JSON.parse(await this.run(...argv, "--json")) as Record<string, unknown>;
    return result;
  }

  /** The error of a command that must fail. */
  async refusal(
    ...argv: string[]
  ): Promise<{ kind: string; message: string; hint: string; exitCode: number; [detail: string]: unknown }> {
    const { stderr, exitCode, stdout } = await this.cli([...argv, "--json"]);
    if (exitCode === 0) throw new Error(`browse ${argv.join(" ")} did not fail: ${stdout}`);
    const line = stderr
      .trim()
      .split("\n")
      .find((text) => text.startsWith('{"error"'));
    if (!line) throw new Error(`browse ${argv.join(" ")} told no error: ${stderr}`);
    return { ...(JSON.parse(line) as { error: { kind: string; message: string; hint: string } }).error, exitCode };
  }

  /** The page's title. */
  async title(...argv: string[]): Promise<string> {
    return String((await this.json("title", ...argv)).title);
  }

  /** The tab that a command goes to which names none: in a daemon that files share, its number is any. */
  async currentTab(): Promise<string> {
    const { tabs } = (await this.json("tabs")) as { tabs: { id: string; current: boolean }[] };
    return tabs.find(({ current }) => current)?.id ?? "none";
  }

  /** The ref on the first line of `snapshot` that holds `text`. */
  async ref(text: string, ...flags: string[]): Promise<string> {
    const snapshot = await this.run("snapshot", ...flags);
    const line = snapshot.split("\n").find((candidate) => candidate.includes(text));
    const ref = line && /@[ec]\d+/.exec(line)?.[0];
    if (!ref) throw new Error(`No ref with ${text} in:\n${snapshot}`);
    return ref;
  }

  /** What the daemon wrote for its clients; undefined when none is there. */
  daemon(): DaemonFile | undefined {
    const path = join(this.stateDir, "daemon.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as DaemonFile) : undefined;
  }

  /** The record of calls so far, which the daemon writes down a moment later: a call of our own at its end tells when. */
  async journal(): Promise<string> {
    const path = join(this.stateDir, "journal.jsonl");
    const mark = String(++marks);
    await this.run("wait", mark);
    const written = watch(this.stateDir);
    try {
      for (;;) {
        const text = existsSync(path) ? readFileSync(path, "utf8").slice(this.#journalStart) : "";
        if (text.includes(`"params":{"what":"${mark}"}`)) return text;
        await once(written, "change");
      }
    } finally {
      written.close();
    }
  }

  /** Has the journal begin with the calls that come now. */
  protected async beginJournal(): Promise<void> {
    this.#journalStart += (await this.journal()).length;
  }

  /** What the daemon wrote for whoever has to find out what went wrong. */
  #log(): string {
    const path = join(this.stateDir, "daemon.log");
    return existsSync(path) ? `\nThe end of its log:\n${readFileSync(path, "utf8").slice(-LOG_CHARS)}` : "";
  }

  /** A command line that only the daemon has to know of: no process for it. Undefined where one is needed. */
  async #overConnection(argv: readonly string[], options: CliOptions): Promise<CliAnswer | undefined> {
    const { env, stdin, cwd = this.dir, onChild } = options;
    if (this.#hasOwnProcesses || env || onChild || CLIENTS_OWN.has(readArguments(argv).command)) return undefined;
    const daemon = this.daemon();
    if (!daemon || !isRunning(daemon.pid)) return undefined;
    if (this.#line?.daemon.token !== daemon.token || this.#line.commands.isClosed) {
      this.#line?.commands.close();
      this.#line = { daemon, commands: new CommandLine(daemon) };
    }
    const session = this.#env.BROWSE_SESSION;
    return await this.#line.commands.run(argv, {
      cwd,
      ...(stdin !== undefined && argv.includes("-") && { stdin }),
      ...(session !== undefined && { session }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** Closes the connection to the daemon; the next command line makes another. */
  protected disconnect(): void {
    this.#line?.commands.close();
  }

  /** Stops the daemon, and removes everything. */
  protected async end(): Promise<void> {
    this.disconnect();
    const daemon = this.daemon();
    if (daemon) await this.cli(["stop"]);
    // It answers before it ends, and writes into its folder until then.
    if (daemon) await untilEnded([daemon.pid]);
    rmSync(this.#root, { recursive: true, force: true });
  }
}
