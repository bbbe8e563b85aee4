/** A project whose `browse` is the client under test and whose daemon is the fake one of these tests. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientIn, isNative, NATIVE_CLIENT } from "../harness/client.ts";
import { version } from "../harness/version.ts";

const root = join(import.meta.dirname, "../..");

const CLIENT = ["browse.mjs", "ask.mjs", "given.mjs", "lifecycle.mjs", "repl.mjs", "resume.mjs"];

export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string | Uint8Array;
  cwd?: string;
  onChild?: (child: ChildProcess) => void;
  /** In place of the client under test. */
  native?: boolean;
}

export interface Printed {
  stdout: string;
  stderr: string;
  /** The number, or the signal that ended it. */
  exitCode: number | string;
}

export interface SeenCall {
  /** Which daemon of the project got it, from 1. */
  ordinal: number;
  client: string;
  id?: string;
  method: string;
  argv: string[];
  params: Record<string, unknown>;
}

export class FakeProject implements AsyncDisposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-cli-")));
  readonly stateDir = join(this.dir, ".browse");
  /** Where the client is installed, its daemon beside it. */
  readonly app = join(this.dir, "app");

  constructor({ isRepository = true } = {}) {
    if (isRepository) mkdirSync(join(this.dir, ".git"));
    mkdirSync(this.app);
    for (const name of CLIENT) copyFileSync(join(root, "dist", name), join(this.app, name));
    if (existsSync(NATIVE_CLIENT)) cpSync(NATIVE_CLIENT, join(this.app, "native/browse"));
    const daemon = JSON.stringify(join(import.meta.dirname, "fake_daemon.ts"));
    writeFileSync(join(this.app, "daemon.mjs"), `await import(${daemon});\n`);
  }

  /** Runs the client to its end. */
  run(argv: readonly string[], options: RunOptions = {}): Promise<Printed> {
    const { env = {}, stdin = "", cwd = this.dir, onChild, native = isNative } = options;
    const [program, ...script] = clientIn(this.app, native);
    const child = spawn(program, [...script, ...argv], {
      cwd,
      env: { ...process.env, FAKE_VERSION: version, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onChild?.(child);
    // A client that reads no input may be gone before this.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ stdout, stderr, exitCode: code ?? signal ?? "" }));
    });
  }

  /** Every command line that any daemon of the project was sent. */
  calls(): SeenCall[] {
    return this.#lines<SeenCall>("calls.jsonl");
  }

  /** The daemons that were started and got the lock. */
  pids(): number[] {
    return this.#lines<number>("starts.jsonl");
  }

  /** The daemons that came late to the lock. */
  latePids(): number[] {
    return this.#lines<number>("late.jsonl");
  }

  #lines<T>(name: string): T[] {
    const path = join(this.stateDir, name);
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as T);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of [...this.pids(), ...this.latePids()]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended already, as it should in most tests.
      }
    }
    rmSync(this.dir, { recursive: true, force: true });
  }
}
