/** Tells of skills that come, change and go, whoever has done it. */
import { dirname, join, relative, sep } from "node:path";
import type { SkillTier } from "../skill.ts";
import { type Looked, type ReadSkill, SeenSkills } from "./read_skill.ts";
import { isUsable, namesIn, type TierFolders } from "./tiers.ts";

export interface SkillEvent {
  event: "added" | "changed" | "removed" | "broken";
  name: string;
  tier: SkillTier;
  /** Why it is broken. */
  reason?: string;
}

export interface SkillWatchOptions {
  folders: TierFolders;
  publish: (event: SkillEvent) => void;
  onError: (error: unknown) => void;
}

const TIERS = ["project", "user"] as const satisfies readonly SkillTier[];
/** Paths; each takes one of the system's watches, and a cloned repository may have any number. */
const MAX_WATCHED = 5_000;
/** From the state folders, since a folder of skills may come later, and go: it, its skills, and their files. */
const DEPTH = 2;
/** Files of a skill come one by one. */
const SETTLED_MS = 100;

export class SkillWatch {
  readonly #options: SkillWatchOptions;
  readonly #seen = new SeenSkills();
  /** By folder: its hash, or why it is broken. */
  readonly #told = new Map<string, string>();
  readonly #watched = new Set<string>();
  readonly #due = new Map<string, NodeJS.Timeout>();
  #watcher: { close(): Promise<void> } | undefined;
  /** Of one watcher after another. */
  #started = Promise.resolve();
  #anew: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SkillWatchOptions) {
    this.#options = options;
  }

  /** Resolves when changes are noticed, or when it has told why they cannot be. */
  async start(): Promise<void> {
    try {
      for (const tier of TIERS) for (const name of this.#names(tier)) this.#look(tier, name, { isFirst: true });
    } catch (error) {
      this.#options.onError(error);
    }
    await this.#watchAnew();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#anew);
    for (const timer of this.#due.values()) clearTimeout(timer);
    // Not what is being started: a watcher that is closed is never ready.
    await this.#watcher?.close();
  }

  /** Where a folder is replaced by another at once, chokidar goes on watching the one that is gone. */
  #watchAnewSoon(): void {
    clearTimeout(this.#anew);
    this.#anew = setTimeout(() => void this.#watchAnew(), SETTLED_MS).unref();
  }

  #watchAnew(): Promise<void> {
    this.#started = this.#started.then(() => this.#watch()).catch(this.#options.onError);
    return this.#started;
  }

  async #watch(): Promise<void> {
    // A daemon that starts has better things to load first.
    const { watch } = await import("chokidar");
    await this.#watcher?.close();
    if (this.#isClosed) return;
    this.#watched.clear();
    const watcher = watch(
      TIERS.map((tier) => dirname(this.#options.folders[tier])),
      { ignoreInitial: true, depth: DEPTH, followSymlinks: false, ignored: (path) => !this.#mayWatch(path) },
    );
    this.#watcher = watcher;
    watcher.on("error", this.#options.onError);
    watcher.on("all", (_event, path) => this.#note(path));
    watcher.on("raw", (event, name, place) => {
      const { watchedPath } = place as { watchedPath: string };
      // Some systems do not say which.
      const path = typeof name === "string" ? join(watchedPath, name) : watchedPath;
      if (event === "rename" && this.#isFolder(path)) this.#watchAnewSoon();
    });
    await new Promise<void>((resolve) => watcher.once("ready", resolve));
    // What was changed before it listened.
    for (const tier of TIERS) for (const name of [...this.#names(tier), ...this.#toldIn(tier)]) this.#look(tier, name);
  }

  /** That of all skills, or of one. */
  #isFolder(path: string): boolean {
    return TIERS.some((tier) => [path, dirname(path)].includes(this.#options.folders[tier]));
  }

  #names(tier: SkillTier): string[] {
    return namesIn(this.#options.folders[tier]).names;
  }

  #mayWatch(path: string): boolean {
    const place = this.#placeOf(path);
    if (place === undefined) return TIERS.some((tier) => dirname(this.#options.folders[tier]) === path);
    if (place.name.startsWith(".")) return false;
    if (this.#watched.size < MAX_WATCHED) this.#watched.add(path);
    return this.#watched.has(path);
  }

  #placeOf(path: string): { tier: SkillTier; name: string } | undefined {
    for (const tier of TIERS) {
      const [name = ""] = relative(this.#options.folders[tier], path).split(sep);
      if (name !== "..") return { tier, name };
    }
    return undefined;
  }

  #note(path: string): void {
    const place = this.#placeOf(path);
    if (place === undefined || this.#isClosed) return;
    const { tier, name } = place;
    // The folder of all of them has come or gone.
    const names = name === "" ? [...this.#names(tier), ...this.#toldIn(tier)] : [name];
    for (const each of names) this.#lookSoon(tier, each);
  }

  #toldIn(tier: SkillTier): string[] {
    const begin = `${this.#options.folders[tier]}${sep}`;
    return [...this.#told.keys()].filter((dir) => dir.startsWith(begin)).map((dir) => dir.slice(begin.length));
  }

  #lookSoon(tier: SkillTier, name: string): void {
    const key = this.#key(tier, name);
    clearTimeout(this.#due.get(key));
    const timer = setTimeout(() => {
      this.#due.delete(key);
      this.#look(tier, name);
    }, SETTLED_MS);
    this.#due.set(key, timer.unref());
  }

  #look(tier: SkillTier, name: string, { isFirst = false } = {}): void {
    const folder = this.#options.folders[tier];
    const looked = isUsable(folder) ? this.#seen.look(folder, name) : undefined;
    const key = this.#key(tier, name);
    const [before, now] = [this.#told.get(key), stateOf(looked)];
    if (now === before) return;
    if (now === undefined) this.#told.delete(key);
    else this.#told.set(key, now);
    if (!isFirst) this.#options.publish(eventOf(looked, { isNew: before === undefined, name, tier }));
  }

  #key(tier: SkillTier, name: string): string {
    return `${this.#options.folders[tier]}${sep}${name}`;
  }
}

function stateOf(looked: Looked<ReadSkill> | undefined): string | undefined {
  if (looked === undefined) return undefined;
  return "read" in looked ? looked.read.hash : `broken: ${looked.reason}`;
}

function eventOf(
  looked: Looked<ReadSkill> | undefined,
  { isNew, name, tier }: { isNew: boolean; name: string; tier: SkillTier },
): SkillEvent {
  if (looked === undefined) return { event: "removed", name, tier };
  if ("reason" in looked) return { event: "broken", name, tier, reason: looked.reason };
  return { event: isNew ? "added" : "changed", name, tier };
}
