/** `daemon.json`: how clients find the daemon, and how a new daemon learns what became of the one before. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { readJsonFile, writePrivateFile } from "../security/private_file.ts";

const StateSchema = v.object({
  pid: v.number(),
  port: v.number(),
  token: v.string(),
  startedAt: v.string(),
  version: v.string(),
  protocol: v.string(),
  mode: v.picklist(["headless", "headed"]),
  /** Set by a daemon that ended without being asked to, so that the next one can say why its state is gone. */
  ended: v.optional(v.picklist(["idle", "browser_gone"])),
});

export type DaemonState = v.InferOutput<typeof StateSchema>;

export class StateFile {
  readonly #path: string;
  #state: DaemonState | undefined;

  constructor(stateDir: string) {
    this.#path = join(stateDir, "daemon.json");
  }

  /** What the last daemon left behind; undefined after a clean stop. A corrupt file counts as a lost daemon. */
  previous(): { ended?: DaemonState["ended"] } | undefined {
    const read = readJsonFile(this.#path, StateSchema);
    if (!read) return undefined;
    return "value" in read && read.value.ended ? { ended: read.value.ended } : {};
  }

  async write(state: DaemonState): Promise<void> {
    this.#state = state;
    await writePrivateFile(this.#path, `${JSON.stringify(state)}\n`);
  }

  /** Leaves word of an end that nobody asked for. */
  async leave(ended: NonNullable<DaemonState["ended"]>): Promise<void> {
    if (this.#state) await this.write({ ...this.#state, ended });
  }

  /** Removes our own file; another daemon's is left alone. */
  remove(): void {
    const read = readJsonFile(this.#path, StateSchema);
    if (read && "value" in read && read.value.token === this.#state?.token) rmSync(this.#path, { force: true });
  }
}

/** What the first answer of a new daemon says of the one before; undefined when nothing was lost. */
export function lossNotice(previous: { ended?: DaemonState["ended"] } | undefined): string | undefined {
  if (!previous) return undefined;
  const why = {
    idle: "The browser had been closed after being idle",
    browser_gone: "The browser had crashed",
    none: "The browser daemon had died",
  }[previous.ended ?? "none"];
  return `${why}: a fresh one was started, and its tabs, logins and storage are gone`;
}
