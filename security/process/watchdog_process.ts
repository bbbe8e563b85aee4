/** What runs inside the watchdog's own process, and how its source gets there. */
import {
  inspectOnLinux,
  inspectProcess,
  type ProcessDetails,
  type ProcessIdentity,
  signalGroup,
} from "./process_identity.ts";

/** One line of the pipe from the daemon. */
export type WatchdogMessage = { watch: ProcessIdentity; folders: string[] } | { unwatch: ProcessIdentity };

/** How long processes get to end by themselves after the daemon's end: Chromium notices its closed pipe too. */
const GRACE_MS = 300;
/** How long to wait for killed processes before their folders are removed all the same. */
const GONE_WITHIN_MS = 3000;

/**
 * The program as text for `node -e`: that way it is the same from source and from a bundle, and loads none of the
 * daemon's code. What it needs is handed over as arguments, so a minifier may rename it.
 */
export function watchdogSource(): string {
  const inspect = `(pid) => (${inspectProcess})(pid, ${inspectOnLinux})`;
  return `(${runWatchdog})(${inspect}, ${signalGroup}, ${GRACE_MS}, ${GONE_WITHIN_MS})`;
}

/**
 * Stands alone: no imports, and no named functions inside but methods, since bundlers that keep names would wrap those
 * in a call of something that is not here.
 */
function runWatchdog(
  inspect: (pid: number) => ProcessDetails | undefined,
  signal: typeof signalGroup,
  graceMs: number,
  goneWithinMs: number,
): void {
  const watchdog = {
    watched: new Map<string, { identity: ProcessIdentity; folders: string[] }>(),
    rest: "",
    receive(chunk: string): void {
      const lines = (this.rest + chunk).split("\n");
      this.rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as WatchdogMessage;
        const identity = "watch" in message ? message.watch : message.unwatch;
        const key = `${identity.pid} ${identity.startTime}`;
        if ("watch" in message) this.watched.set(key, { identity, folders: message.folders });
        else this.watched.delete(key);
      }
    },
    isAlive({ pid, startTime }: ProcessIdentity): boolean {
      const details = inspect(pid);
      return details !== undefined && details.startTime === startTime && !details.isZombie;
    },
    async waitUntilGone(timeoutMs: number): Promise<void> {
      const deadline = performance.now() + timeoutMs;
      while (performance.now() < deadline) {
        if (![...this.watched.values()].some(({ identity }) => this.isAlive(identity))) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async finish(): Promise<void> {
      const { rmSync } = process.getBuiltinModule("node:fs");
      await this.waitUntilGone(graceMs);
      for (const { identity } of this.watched.values()) {
        try {
          signal(inspect, identity, "SIGKILL");
        } catch {
          // Not killable by us: the others still have to be.
        }
      }
      await this.waitUntilGone(goneWithinMs);
      for (const { folders } of this.watched.values()) {
        for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
      process.exit(0);
    },
  };
  // Only the end of the pipe ends the watchdog: signals sent to a whole terminal or group must not.
  for (const name of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(name, () => undefined);
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk: string) => watchdog.receive(chunk));
  process.stdin.on("error", () => undefined);
  process.stdin.on("close", () => void watchdog.finish());
}
