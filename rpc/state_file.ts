/** `daemon.json`: how clients find the daemon, and how a new daemon learns what became of the one before. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateFile } from "../security/private_file.ts";
import { type LaunchSettings, modeOf } from "./launch_settings.ts";

const StateSchema = v.object({
  pid: v.number(),
  port: v.number(),
  token: v.string(),
  startedAt: v.string(),
  version: v.string(),
  protocol: v.string(),
  mode: v.picklist(["headless", "headed"]),
  proxy: v.optional(v.string()),
  /**
   * Set by a daemon that ended otherwise than by `stop`, so that the next one can say why its state is gone, and go on with
   * its settings.
   */
  ended: v.optional(v.picklist(["idle", "browser_gone", "restart", "replaced"])),
});

export type DaemonState = v.InferOutput<typeof StateSchema>;

export type Ended = NonNullable<DaemonState["ended"]>;

/** What is known of the daemon before this one. */
export interface Previous {
  ended?: Ended;
  launch?: LaunchSettings;
}

export class StateFile {
  readonly #path: string;
  #state: DaemonState | undefined;

  constructor(stateDir: string) {
    this.#path = join(stateDir, "daemon.json");
  }

  /** What the last daemon left behind; undefined after a clean stop. A corrupt file counts as a lost daemon. */
  previous(): Previous | undefined {
    const read = readJsonFile(this.#path, StateSchema);
    if (!read) return undefined;
    if (!("value" in read)) return {};
    const { ended, mode, proxy } = read.value;
    return { ...(ended && { ended }), launch: { headed: mode === "headed", proxy } };
  }

  async write(state: DaemonState): Promise<void> {
    this.#state = state;
    await writePrivateFile(this.#path, `${JSON.stringify(state)}\n`);
  }

  /** Writes down how the browser is launched from now on. */
  async relaunch(launch: LaunchSettings): Promise<void> {
    if (this.#state) await this.write({ ...this.#state, ...writtenLaunch(launch) });
  }

  /** Leaves word of an end that is not the last: the next daemon launches its browser so. */
  async leave(ended: Ended, launch: LaunchSettings): Promise<void> {
    if (this.#state) await this.write({ ...this.#state, ...writtenLaunch(launch), ended });
  }

  /** Removes our own file; another daemon's is left alone. */
  remove(): void {
    const read = readJsonFile(this.#path, StateSchema);
    if (read && "value" in read && read.value.token === this.#state?.token) rmSync(this.#path, { force: true });
  }
}

/** The members of the file that say how the browser is launched. */
export function writtenLaunch(launch: LaunchSettings): Pick<DaemonState, "mode" | "proxy"> {
  return { mode: modeOf(launch), proxy: launch.proxy };
}

/** What the first answer of a new daemon says of the one before; undefined when nothing was lost, or as was asked. */
export function lossNotice(previous: Previous | undefined): string | undefined {
  if (!previous || previous.ended === "restart") return undefined;
  const why = {
    idle: "The browser had been closed after being idle",
    browser_gone: "The browser had crashed",
    replaced: "The browser had been closed with a daemon of another version",
    none: "The browser daemon had died",
  }[previous.ended ?? "none"];
  return `${why}: a fresh one was started, and its tabs, logins and storage are gone`;
}
