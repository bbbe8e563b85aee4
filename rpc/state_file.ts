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
  readonly #onTrouble: (message: string, cause: unknown) => void;
  #state: DaemonState | undefined;
  /** What was last done to the file. One at a time: a slow write must not come back over a later one, or a removal. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(stateDir: string, onTrouble: (message: string, cause: unknown) => void) {
    this.#path = join(stateDir, "daemon.json");
    this.#onTrouble = onTrouble;
  }

  /** What the last daemon left behind; undefined after a clean stop. A corrupt file counts as a lost daemon. */
  previous(): Previous | undefined {
    const read = readJsonFile(this.#path, StateSchema);
    if (!read) return undefined;
    if (!("value" in read)) return {};
    const { ended, mode, proxy } = read.value;
    return { ...(ended && { ended }), launch: { headed: mode === "headed", proxy } };
  }

  /** For clients to find. Throws when it cannot be written. */
  async write(state: DaemonState): Promise<void> {
    this.#state = state;
    await this.#inTurn(async () => await writePrivateFile(this.#path, `${JSON.stringify(state)}\n`));
  }

  /** Writes down how the browser is launched from now on. Never rejects. */
  async relaunch(launch: LaunchSettings): Promise<void> {
    await this.#change(writtenLaunch(launch));
  }

  /** Leaves word of an end that is not the last: the next daemon launches its browser so. Never rejects. */
  async leave(ended: Ended, launch: LaunchSettings): Promise<void> {
    await this.#change({ ...writtenLaunch(launch), ended });
  }

  /** Removes our own file; another daemon's is left alone. Nothing is written any more. */
  async remove(): Promise<void> {
    const token = this.#state?.token;
    this.#state = undefined;
    await this.#inTurn(() => {
      const read = readJsonFile(this.#path, StateSchema);
      if (read && "value" in read && read.value.token === token) rmSync(this.#path, { force: true });
    });
  }

  /** A disk that is full keeps nobody from working, or from ending. */
  async #change(members: Partial<DaemonState>): Promise<void> {
    if (!this.#state) return;
    try {
      await this.write({ ...this.#state, ...members });
    } catch (error) {
      this.#onTrouble("Cannot write daemon.json", error);
    }
  }

  async #inTurn(work: () => void | Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
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
