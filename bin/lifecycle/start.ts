/** Starting a daemon, and waiting for one that somebody else is starting. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, readSync, watch } from "node:fs";
import { join } from "node:path";
import { openToAppend } from "../../security/files/own_file.ts";
import { ensurePrivateDir } from "../../security/files/private_file.ts";
import { announceStart, isStarting, lockHolder } from "../../security/process/starters.ts";
import { Failure } from "../cli/failure.ts";
import { LOOK_EVERY_MS, PATIENCE_MS, RELAUNCH_MS, SILENT_MS, START_MS } from "../cli/limits.ts";
import { type Project, type Running, readRunning, STOP, unreachable } from "../cli/project.ts";
import { print } from "../cli/terminal.ts";

export interface StartOptions {
  /** The daemon's script, run by the Node that runs the client. */
  script: string;
  /** A daemon that took no connections or answered wrongly, and so is not the one to wait for. */
  except: string | undefined;
}

/**
 * Starts a daemon for the project and resolves once its state file is there. Starting is safe at any time: a daemon
 * that finds the project's lock held ends at once with exit code 0, and the one that holds it is what this waits for.
 */
export async function startDaemon({ root, stateDir }: Project, options: StartOptions): Promise<Running> {
  noteWhere({ root, stateDir });
  const log = openLog(stateDir);
  const { file } = log;
  const announced = announceStart(stateDir);
  let trouble: Error | undefined;
  let launchedMs: number;
  const launch = () => {
    launchedMs = Date.now();
    const child = spawn(process.execPath, [...flags(), options.script], {
      cwd: root,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", file, file],
      // For glibc, which else keeps much of what was freed (docs/design/streams.md).
      env: { ...process.env, BROWSE_STATE_DIR: stateDir, MALLOC_MMAP_THRESHOLD_: "131072" },
    });
    child
      .on("error", (error) => {
        trouble = error;
      })
      .unref();
    return child;
  };
  let child = launch();
  const found = await until(stateDir, START_MS, (passedMs) => {
    const holder = lockHolder(stateDir);
    const running = readRunning(stateDir);
    /** Null while it runs, 0 when another holds the lock. */
    const ended = trouble ?? child.signalCode ?? child.exitCode;
    if (running && running.identity !== options.except) return running;
    if (ended) return failed(`could not start (${ended})`, log);
    if (ended === null) return undefined;
    if (running && passedMs > PATIENCE_MS) return unreachable(running.pid);
    if (running) return undefined;
    // Whoever holds the lock is starting or ending; or its state file cannot be written.
    if (holder && passedMs > SILENT_MS && !isStarting(stateDir, announced)) return silent(holder.pid);
    if (!holder && Date.now() - launchedMs > RELAUNCH_MS) child = launch();
    return undefined;
  });
  announced.end();
  const started = found ?? failed(`is not there after ${START_MS / 1000} s`, log);
  closeSync(file);
  if (started instanceof Failure) throw started;
  // One that has yet to see that it is not needed would take over from a daemon that is stopped meanwhile.
  if (started.pid !== child.pid) child.kill();
  return started;
}

/** How Node runs a daemon: it lives for days and mostly waits, so with small young generations; and no signal opens a debugger in it. */
function flags(): string[] {
  const closed = "--disable-sigusr1";
  return ["--max-semi-space-size=1", ...(process.allowedNodeEnvironmentFlags.has(closed) ? [closed] : [])];
}

/** Once: another folder is another browser, with other logins. */
function noteWhere({ root, stateDir }: Project): void {
  const isSaid = existsSync(stateDir) || existsSync(join(root, ".git"));
  if (isSaid || process.argv.some((word) => word === "--quiet" || word === "--json")) return;
  print(2, `${root} is in no git repository: it gets a browser of its own, with its state in ${stateDir}\n`);
}

/** Asks `look` now, at each change of the folder, and every few milliseconds; undefined when the time is over. */
async function until<T>(folder: string, ms: number, look: (passedMs: number) => T | undefined): Promise<T | undefined> {
  const startMs = Date.now();
  let wake = () => {};
  let watcher: ReturnType<typeof watch> | undefined;
  try {
    watcher = watch(folder, () => wake()).on("error", () => {});
  } catch {
    // No watches left on this machine: the timer is enough.
  }
  for (;;) {
    const passedMs = Date.now() - startMs;
    const found = look(passedMs);
    if (found !== undefined || passedMs > ms) {
      watcher?.close();
      return found;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}

interface Log {
  file: number;
  path: string;
  /** As it was before the start. */
  size: number;
}

/** Makes the state folder, private and ignored by git, and opens its log. */
function openLog(stateDir: string): Log {
  try {
    ensurePrivateDir(stateDir);
    const path = join(stateDir, "daemon.log");
    const file = openToAppend(path);
    return { file, path, size: fstatSync(file).size };
  } catch (error) {
    const { message, hint = "Make it writable, or set BROWSE_STATE_DIR to another" } = error as Error & {
      hint?: string;
    };
    throw new Failure(message, hint);
  }
}

/** A daemon that says nowhere where it listens. */
function silent(pid: number): Failure {
  return new Failure(`The daemon (process ${pid}) is there but does not say where`, `End it with ${STOP}`);
}

/** A failed start, with what the daemon wrote about it for people: no stack, no source, no inner detail. */
function failed(how: string, { file, path, size }: Log): Failure {
  // What was opened, since its name may be gone by now.
  const added = Buffer.alloc(Math.max(0, fstatSync(file).size - size));
  const lines = added.toString("utf8", 0, readSync(file, added, 0, added.length, size)).split("\n");
  const said = lines
    .filter((line) => !/^(\s|[{}]|file:|Node\.js v|$)/.test(line))
    .map((line) => line.replace(/^Error: /, ""))
    .slice(-5);
  const [message = "", hint = ""] = said.slice(-2);
  // A variable that the daemon cannot use is for its giver to mend, and the second line is how.
  if (message.startsWith("BROWSE_")) return new Failure(message, hint, "invalid_params");
  return new Failure([`The daemon ${how}`, ...said].join("\n"), `See ${path}`);
}
