/** How a daemon ends, whatever the reason: once, and in a time that clients wait for. */
import type { WatchedBrowser } from "../../browser/watched_browser.ts";
import type { Classifier } from "../../security/content/classifier/classifier.ts";
import type { PolicyFiles } from "../../security/policy/policy_files.ts";
import type { LifeLock } from "../../security/process/life_lock.ts";
import { announceStart } from "../../security/process/starters.ts";
import type { Listeners } from "../wire/doors.ts";
import type { DaemonLog } from "./daemon_log.ts";
import type { IdleTimer } from "./idle_timer.ts";
import type { LaunchSettings } from "./launch_settings.ts";
import type { Records } from "./records.ts";
import type { Ended, StateFile } from "./state_file.ts";
import type { StateWatch } from "./state_watch.ts";
import { startSuccessor } from "./successor.ts";

/** For all of a shutdown but the killing at its end, so that `stop` is over in 5 s. */
const MAX_END_MS = 4_700;

export interface Ending {
  /** Why, unless somebody asked for it to stop. */
  ended?: Ended;
  /** When that is in the log. */
  told?: Promise<void>;
  /** How the next one launches its browser, if otherwise than this one. */
  launch?: LaunchSettings;
  /** The state folder is another daemon's, or gone: nothing is written there any more. */
  isDisplaced?: boolean;
}

/** What is to be ended. */
export interface DaemonParts {
  stateDir: string;
  lock: LifeLock;
  log: DaemonLog;
  records: Records;
  stateFile: StateFile;
  stateWatch: () => StateWatch | undefined;
  browser: WatchedBrowser;
  listeners: Listeners;
  policy: PolicyFiles;
  skills: { close(): Promise<void> };
  classifier: Classifier;
  idle: IdleTimer;
}

export class Shutdown {
  readonly #parts: DaemonParts;
  #hasBegun = false;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
  }

  /** Ends the daemon, and with it the process. Only the first reason counts. */
  begin(how: Ending): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    setTimeout(() => this.#giveUp(), MAX_END_MS).unref();
    void this.#end(how).catch((error: unknown) => {
      this.#parts.log.write("error", "The shutdown failed", error);
      process.exit(1);
    });
  }

  /** Something hangs: what is left is ended from outside. */
  #giveUp(): void {
    const { log, browser, lock } = this.#parts;
    log.write("error", `The shutdown took over ${MAX_END_MS} ms and is cut short`);
    browser.chromium.kill();
    lock.release();
    // The watchdog removes what the browser leaves.
    process.exit(1);
  }

  /** First the door, then the answers, then the browser, then our traces. */
  async #end({ ended, told, launch, isDisplaced = false }: Ending): Promise<void> {
    const { stateDir, lock, records, stateFile, stateWatch, browser, listeners, idle } = this.#parts;
    idle.stop();
    // Who stops this daemon from now on waits for the one that takes over.
    if (ended === "restart") announceStart(stateDir);
    stateWatch()?.close();
    records.hub.publish("daemon", { event: "shuttingDown" });
    records.hub.close();
    await (ended ? stateFile.leave(ended, launch ?? browser.launch) : stateFile.remove());
    await listeners.close();
    // Of a browser that is gone, and in a folder that is another's, nothing is to be had.
    const hasLeft = ended === "browser_gone" || isDisplaced;
    if (!hasLeft) await browser.sessions.keep({ hasSuccessor: ended !== undefined });
    // In a folder that was removed it would make its profile again.
    await browser.close({ atOnce: isDisplaced });
    await this.#closeRest();
    if (!isDisplaced) await records.flush();
    await told;
    lock.release();
    if (ended === "restart") startSuccessor(stateDir);
    process.exit(0);
  }

  async #closeRest(): Promise<void> {
    const { policy, skills, classifier } = this.#parts;
    await policy.close();
    await skills.close();
    await classifier.close();
  }
}
