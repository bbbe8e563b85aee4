/** A temporary project with a daemon of its own, driven by the built client. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenConnection } from "./connection.ts";
import { runProcess } from "./run_process.ts";

/** The built client. */
export const CLIENT = join(import.meta.dirname, "../dist/browse.mjs");
const NATIVE_CLIENT = join(import.meta.dirname, "../dist/native/browse");
/** Between two looks at whether a process has ended. */
const LOOK_EVERY_MS = 20;

interface DaemonFile {
  pid: number;
  port: number;
  token: string;
}

export interface BenchProjectOptions {
  home?: string;
  env?: NodeJS.ProcessEnv;
}

export class BenchProject implements AsyncDisposable {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "browse-bench-")));
  readonly #stateDir = join(this.dir, ".browse");
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #connections: OpenConnection[] = [];
  readonly #running = new Set<Promise<string>>();

  /** @param home The user's state folder; the project's own when absent. */
  constructor({ home, env = {} }: BenchProjectOptions = {}) {
    this.#home = home ?? join(this.dir, "home");
    this.#env = env;
  }

  /** Runs the client; throws what it said when it failed. */
  cli = async (...argv: string[]): Promise<string> => await this.#run([process.execPath, CLIENT], argv);

  /** Runs the native client; undefined where there is none. */
  native = existsSync(NATIVE_CLIENT) ? async (...argv: string[]) => await this.#run([NATIVE_CLIENT], argv) : undefined;

  async #run(client: readonly string[], argv: readonly string[]): Promise<string> {
    const env = { BROWSE_STATE_DIR: this.#stateDir, BROWSE_HOME: this.#home, ...this.#env };
    const running = runProcess([...client, ...argv], { cwd: this.dir, env });
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async connect(): Promise<OpenConnection> {
    const connection = await OpenConnection.open(this.daemon);
    this.#connections.push(connection);
    return connection;
  }

  /** Resident memory of the daemon in MB, as the system counts it. */
  get daemonMegabytes(): number {
    const status = readFileSync(`/proc/${this.daemon.pid}/status`, "utf8");
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  get daemon(): DaemonFile {
    return JSON.parse(readFileSync(join(this.#stateDir, "daemon.json"), "utf8")) as DaemonFile;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection[Symbol.dispose]();
    // A command that was interrupted may be starting the daemon.
    await Promise.allSettled(this.#running);
    if (existsSync(join(this.#stateDir, "daemon.json"))) {
      const { pid } = this.daemon;
      await this.cli("stop", "--no-start");
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
