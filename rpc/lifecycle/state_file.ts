/** `daemon.json`: how clients find the daemon, and how a new daemon learns what became of the one before. */
import { createHmac } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { NotOurs, readOwnFile } from "../../security/files/own_file.ts";
import { readJsonFile, writePrivateFile } from "../../security/files/private_file.ts";
import { type LaunchSettings, modeOf } from "./launch_settings.ts";

const StateSchema = v.object({
  pid: v.number(),
  /** With the pid it names one process: a client connects to no other, and nobody can guess it before. */
  startTime: v.string(),
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
  /** Proves that a daemon of this user wrote how the browser is launched: a proxy sees all that goes through it. */
  seal: v.optional(v.string()),
});

export type DaemonState = Omit<v.InferOutput<typeof StateSchema>, "seal">;

export type Ended = NonNullable<DaemonState["ended"]>;

/** What is known of the daemon before this one. */
export interface Previous {
  ended?: Ended;
  launch?: LaunchSettings;
}

export interface StateFileOptions {
  stateDir: string;
  /** A secret of this user's, which no repository can bring along; undefined when there is none. */
  sealKey: () => Uint8Array | undefined;
  onTrouble: (message: string, cause: unknown) => void;
}

export class StateFile {
  readonly #path: string;
  readonly #options: StateFileOptions;
  #sealKey: Uint8Array | undefined;
  #state: DaemonState | undefined;
  /** As it was last written; undefined while it is not to be there. */
  #text: string | undefined;
  /** What was last done to the file. One at a time: a slow write must not come back over a later one, or a removal. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: StateFileOptions) {
    this.#path = join(options.stateDir, "daemon.json");
    this.#options = options;
  }

  /** What the last daemon left behind; undefined after a clean stop. A corrupt file counts as a lost daemon. */
  previous(): Previous | undefined {
    const read = readJsonFile(this.#path, StateSchema);
    if (!read) return undefined;
    if (!("value" in read)) return {};
    const { ended, mode, proxy, seal } = read.value;
    const isSealed = seal !== undefined && seal === this.#sealOf(read.value);
    return { ...(ended && { ended }), ...(isSealed && { launch: { headed: mode === "headed", proxy } }) };
  }

  /** For clients to find. Throws when it cannot be written. */
  async write(state: DaemonState): Promise<void> {
    this.#state = state;
    const text = `${JSON.stringify({ ...state, seal: this.#sealOf(state) })}\n`;
    await this.#inTurn(async () => {
      this.#text = text;
      await writePrivateFile(this.#path, text);
    });
  }

  /** Writes it again if it is no longer what was written; true if so. For as long as it is ours. Never rejects. */
  async restore(): Promise<boolean> {
    let isRestored = false;
    await this.#try(() =>
      this.#inTurn(async () => {
        const text = this.#text;
        if (text === undefined || this.#read() === text) return;
        await writePrivateFile(this.#path, text);
        isRestored = true;
      }),
    );
    return isRestored;
  }

  /** It was written, and nothing has its name any more. */
  get isMissing(): boolean {
    return this.#text !== undefined && lstatSync(this.#path, { throwIfNoEntry: false }) === undefined;
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
      this.#text = undefined;
      const read = readJsonFile(this.#path, StateSchema);
      if (read && "value" in read && read.value.token === token) rmSync(this.#path, { force: true });
    });
  }

  /** A disk that is full keeps nobody from working, or from ending. */
  async #change(members: Partial<DaemonState>): Promise<void> {
    const state = this.#state;
    if (state) await this.#try(() => this.write({ ...state, ...members }));
  }

  async #try(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#options.onTrouble("Cannot write daemon.json", error);
    }
  }

  #read(): string | undefined {
    try {
      return readOwnFile(this.#path, { isSecret: true });
    } catch (error) {
      if (error instanceof NotOurs) return undefined;
      throw error;
    }
  }

  #sealOf({ mode, proxy = "" }: Pick<DaemonState, "mode" | "proxy">): string | undefined {
    this.#sealKey ??= this.#options.sealKey();
    return this.#sealKey && createHmac("sha256", this.#sealKey).update(`${mode} ${proxy}`).digest("hex");
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

/**
 * What the first answer of a new daemon says of the one before; undefined when nothing was lost that nobody gave up.
 * `kept`: its sessions were written down, but for what is missing. `lasting`: names of those that are at all times.
 */
export function lossNotice(
  previous: Previous | undefined,
  kept: { missing: string[]; isBare?: boolean } | undefined,
  lasting: readonly string[] = [],
): string | undefined {
  const isWhole = kept?.missing.length === 0;
  if (!previous || (previous.ended === "restart" && isWhole)) return undefined;
  const why = {
    idle: "The browser had been closed after being idle",
    browser_gone: "The browser had crashed",
    restart: "The browser has been restarted",
    replaced: "The browser had been closed with a daemon of another version",
    // One that ended in order, and could not say why on a full disk.
    none: kept ? "The browser had been closed" : "The browser daemon had died",
  }[previous.ended ?? "none"];
  if (!kept) {
    const names = lasting.map((name) => `"${name}"`).join(", ");
    const rest = names && `, but for the logins and storage that were last written down of ${names}`;
    return `${why}: a fresh one was started, and its tabs, logins and storage are gone${rest}`;
  }
  const gone = ["what was typed into pages", ...kept.missing].join(", ");
  const besides = isWhole ? ", with logins and storage" : kept.isBare ? "" : ", with logins";
  return `${why}: its tabs are loaded again${besides}; gone: ${gone}`;
}
