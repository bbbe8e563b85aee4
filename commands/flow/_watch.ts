/** Passive observation of a tab: a look every so often, and what changed between two of them. */

import { abortable } from "../../abort.ts";
import type { Change } from "../../browser/effect_report.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { type BrowseError, toBrowseError } from "../../errors.ts";
import { pageChanges } from "../../refs/snapshot/compare.ts";
import { changesBetween } from "../../refs/snapshot/diff.ts";
import { type IdentifiedSnapshot, identifiedSnapshot } from "../../refs/snapshot/snapshot.ts";

export interface WatchEntry {
  /** ISO 8601. */
  time: string;
  url: string;
  kind: "changed" | "elsewhere" | "problem" | "ended";
  changes?: Change[];
  /** Why the page could not be read. */
  problem?: string;
}

interface WatchOptions {
  everyMs: number;
  /** Of the first look. */
  signal: AbortSignal;
}

/** Entries kept until somebody takes them, and changes kept in each. */
const MAX_ENTRIES = 200;
const MAX_CHANGES = 400;
/** A page that takes longer to answer is told as a problem. */
const LOOK_MS = 10_000;
/** Who asks what has changed waits this long for a page that takes its time; what it says later is told to who asks next. */
const NOW_MS = 2_000;

const WATCH: StateKey<Tab, Watch | undefined> = { make: () => undefined };

/** The watch on this tab, if there is one. */
export function watchOf(tab: Tab): Watch | undefined {
  return tab.past.get(WATCH);
}

/** Looks once, and goes on looking; takes the place of a watch that is there. Throws what a snapshot throws. */
export async function startWatch(tab: Tab, { everyMs, signal }: WatchOptions): Promise<Watch> {
  const watch = new Watch(tab, everyMs);
  await watch.begin(signal);
  stopWatch(tab);
  tab.past.set(WATCH, watch);
  return watch;
}

/** Ends the watch and gives it back with what it has not told yet: `lookNow` first, for the rest. */
export function stopWatch(tab: Tab): Watch | undefined {
  const watch = tab.past.take(WATCH);
  watch?.stop();
  return watch;
}

export class Watch {
  readonly everyMs: number;
  readonly #tab: Tab;
  #before: IdentifiedSnapshot | undefined;
  #entries: WatchEntry[] = [];
  #dropped = 0;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  /** One look at a time, or an older one would be held against a newer. */
  #last: Promise<void> = Promise.resolve();

  constructor(tab: Tab, everyMs: number) {
    this.#tab = tab;
    this.everyMs = everyMs;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  get looks(): number {
    return this.#looks;
  }

  async begin(signal: AbortSignal): Promise<void> {
    this.#before = await this.#read(signal);
    this.#isRunning = true;
    this.#tab.events.once("closed", this.#end).once("forgotten", this.#stop);
    this.#schedule();
  }

  /** What has not been told yet; each entry is told once. */
  take(): { entries: WatchEntry[]; dropped: number } {
    const told = { entries: this.#entries, dropped: this.#dropped };
    this.#entries = [];
    this.#dropped = 0;
    return told;
  }

  /** For what has changed since the last look. */
  async lookNow(signal: AbortSignal): Promise<void> {
    if (!this.#isRunning) return;
    const late = AbortSignal.any([signal, AbortSignal.timeout(NOW_MS)]);
    await abortable(this.#look(late), late).catch(() => signal.throwIfAborted());
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    this.#tab.events.off("closed", this.#end).off("forgotten", this.#stop);
  }

  readonly #stop = (): void => this.stop();

  readonly #end = (): void => {
    this.#note({ kind: "ended" });
    this.stop();
  };

  #schedule(): void {
    if (this.#isRunning) this.#timer = setTimeout(() => void this.#findHitTargetAgain(), this.everyMs).unref();
  }

  async #findHitTargetAgain(): Promise<void> {
    await this.#look(AbortSignal.timeout(LOOK_MS));
    this.#schedule();
  }

  /** Never rejects. */
  async #look(signal: AbortSignal): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        // A page that waits for an answer to its dialog says nothing: it is looked at when it goes on.
        if (!this.#tab.dialogs.open) this.#compare(await this.#read(signal));
      } catch (error) {
        this.#noteProblem(toBrowseError(error));
      }
    });
    await this.#last;
  }

  /** All of the page, whatever frame commands are scoped to. */
  async #read(signal: AbortSignal): Promise<IdentifiedSnapshot> {
    this.#looks++;
    return await identifiedSnapshot(this.#tab, { frame: this.#tab.page.mainFrame(), signal });
  }

  #compare(now: IdentifiedSnapshot): void {
    const before = this.#before;
    this.#before = now;
    if (!before || before.doc !== now.doc) this.#note({ kind: "elsewhere" });
    else {
      const changes = [...pageChanges(before.snapshot, now.snapshot), ...changesBetween(before, now)];
      if (changes.length > 0) this.#note({ kind: "changed", changes: changes.slice(0, MAX_CHANGES) });
    }
  }

  /** A page that was just leaving is another one at the next look. What lasts is told once. */
  #noteProblem({ kind, message }: BrowseError): void {
    const isLeaving = kind === "detached" || kind === "frame_gone";
    if (!isLeaving && this.#entries.at(-1)?.problem !== message) this.#note({ kind: "problem", problem: message });
  }

  #note(entry: Omit<WatchEntry, "time" | "url">): void {
    if (!this.#isRunning) return;
    this.#entries.push({ time: new Date().toISOString(), url: this.#tab.url, ...entry });
    if (this.#entries.length <= MAX_ENTRIES) return;
    this.#entries.shift();
    this.#dropped++;
  }
}
