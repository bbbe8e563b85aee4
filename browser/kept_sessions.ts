/**
 * Sessions that outlive their daemon. Written down when it ends for another to take its place (a restart, another build,
 * idleness), read once by that one, and given back as each session is asked for. In the user's own folder: what a
 * repository brings along is never taken for ours. What agents have opened is theirs, and ends with their tokens.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { continueRefs, lastRef } from "../refs/table.ts";
import { SHARED_SESSION } from "../security/ownership.ts";
import { ownFolderIn, readJsonFile, writePrivateFile } from "../security/private_file.ts";
import type { Token } from "../security/token.ts";
import { isLoadedUrl } from "./loaded_html.ts";
import { rebuildSession } from "./rebuild.ts";
import { imageFrom, SavedStateSchema, savedStateOf } from "./saved_state.ts";
import type { Session } from "./session.ts";
import { imageOf, type SessionImage } from "./session_image.ts";
import { untilAborted } from "./tab_lock.ts";

/** A daemon that ends has 5 s for all of it. */
const SAVE_MS = 3_000;
/** Of the first command that needs the session. */
const RETURN_MS = 15_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;
const MAX_BYTES = 64 * 1024 * 1024;

const KeptSchema = v.strictObject({
  /** Of the daemon whose they were: both count on from there, so that no old name means something new. */
  lastTab: v.number(),
  lastRef: v.number(),
  sessions: v.record(
    v.string(),
    v.strictObject({ state: SavedStateSchema, tabIds: v.array(v.pipe(v.string(), v.regex(/^t\d+$/))) }),
  ),
});

type Kept = v.InferOutput<typeof KeptSchema>;
type KeptSession = Kept["sessions"][string];

interface KeptOptions {
  /** The user's own folder. */
  home: string;
  /** Of the daemon. */
  stateDir: string;
  onFault: (message: string, cause?: unknown) => void;
}

export class KeptSessions {
  readonly #options: KeptOptions;
  #left = new Map<string, KeptSession>();
  #lastTab = 0;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** The highest number that a tab had before. */
  get lastTab(): number {
    return this.#lastTab;
  }

  /** Takes over what the daemon before this one has kept; false when it has kept nothing. */
  take(): boolean {
    try {
      const path = this.#path;
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      const read =
        age < MAX_AGE_MS ? readJsonFile(path, KeptSchema, { isSecret: true, maxBytes: MAX_BYTES }) : undefined;
      removeOld(join(path, ".."), path);
      if (!read || !("value" in read)) return false;
      this.#left = new Map(Object.entries(read.value.sessions));
      this.#lastTab = read.value.lastTab;
      continueRefs(read.value.lastRef);
      return true;
    } catch (error) {
      this.#options.onFault("What the daemon before this one has kept cannot be read", error);
      return false;
    }
  }

  /** Never rejects: what cannot be kept is lost, as the next daemon says. */
  async save(sessions: readonly Session[], lastTab: number): Promise<void> {
    try {
      const time = AbortSignal.timeout(SAVE_MS);
      const own = sessions.filter(({ holder }) => holder?.tabs !== "own");
      const images = own.map(async (session) => [session.name, await keptOf(session)] as const);
      const found = await untilAborted(Promise.all(images), time);
      const kept: Kept = {
        lastTab,
        lastRef: lastRef(),
        sessions: { ...Object.fromEntries(this.#left), ...Object.fromEntries(found) },
      };
      await writePrivateFile(this.#path, JSON.stringify(kept));
    } catch (error) {
      this.#options.onFault("Tabs, logins and storage could not be kept for the next daemon", error);
    }
  }

  /** Puts into a session that was just made what was kept of it. Never rejects. */
  async bringBack(session: Session, holder: Token): Promise<void> {
    const { name } = session;
    const kept = name === SHARED_SESSION || holder.tabs === "all" ? this.#left.get(name) : undefined;
    if (!kept) return;
    this.#left.delete(name);
    const whole = imageFrom(kept.state);
    const tabs = whole.tabs.map((tab, index) => ({ ...tab, id: kept.tabIds[index] ?? "" }));
    try {
      await rebuilt(session, { ...whole, tabs });
    } catch (error) {
      this.#options.onFault(
        `The tabs of the session "${name}" do not load again: ${tabs.map(({ url }) => url).join(" ")}`,
        error,
      );
      await rebuilt(session, { ...whole, tabs: [], current: -1 }).catch((fault: unknown) =>
        this.#options.onFault(`What the session "${name}" held cannot be brought back`, fault),
      );
    }
  }

  get #path(): string {
    const { home, stateDir } = this.#options;
    const project = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
    return join(ownFolderIn(home, "kept"), `${project}.json`);
  }
}

async function rebuilt(session: Session, image: SessionImage): Promise<void> {
  await rebuildSession(session, { image, signal: AbortSignal.timeout(RETURN_MS) });
}

async function keptOf(session: Session): Promise<KeptSession> {
  const image = await imageOf(session);
  const tabs = image.tabs.filter(({ tab, url }) => tab?.holder?.tabs !== "own" && !isLoadedUrl(url));
  const shown = image.tabs[image.current];
  const current = shown ? tabs.indexOf(shown) : -1;
  return { state: savedStateOf({ ...image, tabs, current }), tabIds: tabs.map(({ tab }) => tab?.id ?? "") };
}

/** Of all projects: each once used, or too old. */
function removeOld(folder: string, used: string): void {
  rmSync(used, { force: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > MAX_AGE_MS) rmSync(path, { force: true, recursive: true });
  }
}
