/** What an action did: waits, by events, for what it started, and says it. Nothing is slept through. */

import { abortable } from "../../abort.ts";
import { untilFrameMade, untilTasksDone } from "../../browser/driver/world.ts";
import type { EffectReport, LaterReport } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { ActedOn } from "../../rpc/events/journal.ts";
import { noteElements } from "../find/acted_on.ts";
import { ask } from "../reader.ts";
import { refsOf } from "../ref_table.ts";
import { ActionEvents } from "./action_events.ts";
import { beginAftermath, endAftermath } from "./aftermath.ts";
import type { Look } from "./changes_look.ts";
import { EffectWaits } from "./effect_waits.ts";
import { untilLeaving } from "./interruptions.ts";
import { Layouts } from "./layouts.ts";
import { Looks } from "./looks.ts";
import { hasCome, reportOf, reportOfAsked, reportOfFields, reportOfWaiting } from "./reporting.ts";
import { beginAction, endWork, noteWatching, touchedFrames, workWatched } from "./touched_frames.ts";
import { Troubles } from "./troubles.ts";

const MAX_NAVIGATION_MS = 10_000;
const MAX_SETTLE_MS = 2000;
/** Quiet after changes made at once: a frame and the tasks after it. */
const QUIET_MS = 25;
/** Quiet after changes that go on, or that a request brings. */
const LONG_QUIET_MS = 150;
/** How long something is looked for when nothing was seen and nothing is known to be on its way. */
const MIN_WATCH_MS = 60;
/** Until a timer that the page has set falls due, as long as nothing but what was acted on has changed. */
const MAX_TIMER_MS = 1_000;

/** Begins to watch the tab and what the call of this signal does; call before the action. Costs no wait: the page is told without waiting for its answer. */
export function observeEffects(tab: Tab, how: ObserveOptions): EffectObserver {
  return new EffectObserver(tab, how);
}

interface ObserveOptions {
  /** Of the call. */
  signal: AbortSignal;
  /** Default `page`: its document's changes count too. Of `navigation` only where the tab goes. */
  kind?: "page" | "navigation";
  /** Is what the action starts to be waited for? */
  settles: boolean;
  /** Are the lines that it changes to be told? */
  shows?: boolean;
}

export class EffectObserver implements Disposable {
  /** The elements that it is done to, as they become known. */
  readonly actedOn: readonly ActedOn[];
  readonly #tab: Tab;
  readonly #actionEvents: ActionEvents;
  readonly #troubles: Troubles;
  readonly #watching = new AbortController();
  /** Undefined once it has been told. */
  #before: LaterReport | undefined;
  /** When there was first nothing left to do but to watch; after a rest in the middle, from then. */
  #watchedFrom: number | undefined;
  /** Changes of the action's earlier parts. */
  #counted = 0;
  #isTold = false;
  readonly #waits: EffectWaits;
  readonly #shows: boolean;
  readonly #kind: "page" | "navigation";
  readonly #layouts: Layouts;
  readonly #looks: Looks;

  constructor(tab: Tab, { signal, kind = "page", settles, shows = false }: ObserveOptions) {
    this.#tab = tab;
    this.#kind = kind;
    this.#shows = shows;
    this.actedOn = noteElements(tab, signal);
    this.#before = endAftermath(tab);
    beginAction(tab, { working: settles });
    this.#actionEvents = new ActionEvents(tab);
    this.#waits = new EffectWaits(tab, this.#actionEvents);
    this.#looks = new Looks(tab, this.#actionEvents);
    this.#troubles = new Troubles(tab.capture);
    this.#layouts = new Layouts(tab, { watching: settles && kind === "page" });
    noteWatching(tab, Promise.all([this.#tell("watch"), workWatched(tab)]));
  }

  /** For a page to come to rest between the parts of an action. */
  async rest(signal: AbortSignal): Promise<void> {
    this.#watchedFrom = performance.now();
    const { settled } = await this.#untilRest(signal);
    this.#counted = settled?.changed ?? 0;
  }

  /** What came of the action, once what it started has come to rest. */
  async settle(signal: AbortSignal): Promise<EffectReport> {
    this.#watchedFrom ??= performance.now();
    const { changes, settled: last } = await this.#untilRest(signal);
    // A style alone can open a menu under the mouse: no node has changed then.
    const shown = last && this.#shows ? await this.#looks.lines(signal) : {};
    // Or one has since the last look.
    const settled = shown.changes && last?.changed === 0 ? ((await this.#looks.look(signal)) ?? last) : last;
    this.#isTold = true;
    const before = this.#beforehand(settled ?? changes);
    const report = this.#report(settled);
    const waiting = this.#tab.isOpen ? reportOfWaiting(this.#actionEvents.requests) : {};
    const told = { ...this.#troubles.told(), ...waiting, ...this.#inFields(settled) };
    if (Object.keys(report).length > 0 || shown.changes) return { ...before, ...report, ...told, ...shown };
    return { ...before, ...told, nothing: true, watchedMs: Math.round(performance.now() - this.#watchedFrom) };
  }

  /** The first look at what changed, and the last; absent where there is none, or the page has been left by then. */
  async #untilRest(signal: AbortSignal): Promise<{ changes?: Look; settled?: Look }> {
    const isOfPage = this.#kind === "page";
    const until = performance.now() + MAX_NAVIGATION_MS;
    const [changes] = isOfPage ? await Promise.all([this.#looks.look(signal), this.#untilTasksDone(signal)]) : [];
    await this.#untilArrived(until, signal);
    const settled = isOfPage ? await this.#untilSettled(changes, signal) : undefined;
    await this.#untilArrived(until, signal);
    if (isOfPage && this.#actionEvents.isNewDocument) await this.#waits.untilParsed(signal);
    if (!isOfPage || this.#actionEvents.isNewDocument) await this.#waits.untilBuilt(signal);
    return { ...(changes && { changes }), ...(settled && { settled }) };
  }

  /** What is known already, without waiting for anything or asking the page. */
  soFar(): EffectReport {
    return {
      ...this.#beforehand(),
      ...this.#report(undefined),
      ...this.#troubles.told(),
      ...reportOfAsked(this.#actionEvents),
      unsettled: true,
    };
  }

  [Symbol.dispose](): void {
    if (this.#awaited !== undefined) this.#tab.downloads.noteAsked(this.#awaited);
    this.#actionEvents.stop();
    this.#watching.abort();
    endWork(this.#tab);
    // An action that failed has told nothing of it.
    if (this.#tab.isOpen) beginAftermath(this.#tab, this.#untold());
    if (this.#tab.isOpen && !this.#tab.dialogs.open) void this.#tell(this.#isTold ? "told" : "untold");
  }

  /** The answers may never come, since the page may be leaving, or hang: who waits for them watches for that too. */
  async #tell(what: "watch" | "told" | "untold"): Promise<void> {
    if (this.#kind === "navigation") return;
    const answers = touchedFrames(this.#tab).map(async (frame) => {
      const signal = what === "watch" ? this.#watching.signal : AbortSignal.timeout(MAX_SETTLE_MS);
      await (what === "watch"
        ? ask(frame, "watch", { shows: this.#shows }, { signal })
        : ask(frame, "changes", { end: what }, { signal, isForThisDocument: true }));
    });
    await Promise.allSettled(answers);
  }

  /** What the page said was coming is waited for once. */
  async #untilArrived(until: number, signal: AbortSignal): Promise<void> {
    const { coming } = this.#looks;
    await this.#waits.untilArrived(until, coming, signal);
    coming.downloading = undefined;
    coming.choosing = undefined;
  }

  /** Waits for the document to come to rest; hardly, when all that there was to do has been done at once. */
  async #untilSettled(first: Look | undefined, signal: AbortSignal): Promise<Look | undefined> {
    return (first && (await this.#doneAtOnce(first, signal))) ?? (await this.#untilQuiet(first, signal));
  }

  /** The last look; undefined where something may be on its way. */
  async #doneAtOnce(first: Look, signal: AbortSignal): Promise<Look | undefined> {
    // What has come to rest already need not be looked at again.
    if (!this.#isDone(first) || first.quietMs >= QUIET_MS) return undefined;
    const [look, isLaidOut] = await Promise.all([this.#looks.look(signal), this.#isLaidOut(signal)]);
    if (!look || look.changed > first.changed || !this.#isDone(look)) return undefined;
    // Whose boxes are others tells their observers with the next frame, and what is in frames is not watched.
    if (!isLaidOut && this.#tab.page.frames().length === 1) return look;
    await this.#waits.atMost(QUIET_MS, touchedFrames(this.#tab).map(untilFrameMade), signal);
    const last = await this.#looks.look(signal);
    return last && last.changed === look.changed && this.#isDone(last) ? last : undefined;
  }

  /** Waits, no longer than for quiet, for the tasks that the page has waiting. */
  async #untilTasksDone(signal: AbortSignal): Promise<void> {
    if (this.#looks.isElsewhere) return;
    const work = [...touchedFrames(this.#tab).map(untilTasksDone), this.#layouts.update()];
    await this.#waits.atMost(QUIET_MS, work, signal);
  }

  async #isLaidOut(signal: AbortSignal): Promise<boolean> {
    using leaving = untilLeaving(this.#tab);
    return (await abortable(Promise.race([this.#layouts.haveChanged(), leaving.promise]), signal)) ?? true;
  }

  /** Something has changed, and nothing is known to be on its way. */
  #isDone({ changed, pending, animating, closing, choosing, downloading, left }: Look): boolean {
    const { requests } = this.#actionEvents;
    const isUnderWay =
      pending ||
      animating ||
      closing ||
      choosing ||
      downloading !== undefined ||
      requests.count > 0 ||
      requests.endedAt > 0;
    return left.none && !isUnderWay && changed > this.#counted && !this.#looks.isElsewhere;
  }

  /** Waits for the document to come to rest, when anything has begun to move in it. */
  async #untilQuiet(first: Look | undefined, signal: AbortSignal): Promise<Look | undefined> {
    const { requests } = this.#actionEvents;
    const started = this.#watchedFrom ?? performance.now();
    const until = performance.now() + MAX_SETTLE_MS;
    let look = first ?? (await this.#looks.look(signal));
    let quiet = QUIET_MS;
    while (look && !this.#looks.isElsewhere) {
      const now = performance.now();
      if (requests.count > 0 || requests.endedAt > 0) quiet = LONG_QUIET_MS;
      const sinceRequest = requests.endedAt > 0 ? now - requests.endedAt : Number.POSITIVE_INFINITY;
      const sinceChange = look.pending ? 0 : look.changed > 0 ? look.quietMs : Number.POSITIVE_INFINITY;
      const isUnseen = look.changed === this.#counted && !look.focused && requests.endedAt < started;
      const unseen = isUnseen ? MIN_WATCH_MS - (now - started) : 0;
      const timer = started + (look.beyond > 0 ? LONG_QUIET_MS : MAX_TIMER_MS) - now;
      const { timerMs = 0 } = look.left;
      const due = timerMs <= timer ? timerMs : 0;
      const left = Math.max(quiet - Math.min(sinceRequest, sinceChange), unseen, due);
      if (now >= until || (requests.count === 0 && left <= 0)) return look;
      await abortable(this.#waits.eventWithin(Math.min(until - now, requests.count > 0 ? until - now : left)), signal);
      const next = await this.#looks.look(signal);
      if (next && next.changed > look.changed) quiet = LONG_QUIET_MS;
      look = next;
    }
    return look;
  }

  #report(look: Look | undefined): EffectReport {
    const ref = this.actedOn.at(-1)?.ref;
    const downloading = this.#awaited;
    const downloadsLost = this.#tab.downloads.takeLost();
    return reportOf(this.#tab, this.#actionEvents, {
      changed: (look?.changed ?? 0) - (look?.title?.nodes ?? 0),
      ...(look?.title && { title: look.title.now }),
      downloadsLost,
      ...(ref !== undefined && { ref }),
      ...(downloading !== undefined && { downloading }),
    });
  }

  /** The file that was asked for and of which nothing has come; something else may come of a link to one. */
  get #awaited(): string | undefined {
    return hasCome(this.#actionEvents) ? undefined : this.#looks.downloading;
  }

  #untold(): LaterReport {
    const { endedDownloads: ended } = this.#actionEvents;
    const downloads = [...new Set([...(this.#before?.downloads ?? []), ...ended])];
    return { ...this.#before, ...(downloads.length > 0 && { downloads }) };
  }

  /** What came before the action, as far as its page is still there to have changed. */
  #beforehand(look?: Look): Pick<EffectReport, "before"> {
    const before = { ...this.#untold(), ...(look?.later && { changed: look.later }) };
    this.#before = undefined;
    this.#actionEvents.endedDownloads.length = 0;
    return Object.keys(before).length > 0 ? { before } : {};
  }

  /** What the page that was acted on says of its fields. */
  #inFields(look: Look | undefined): EffectReport {
    if (!look || this.#actionEvents.isNewDocument) return {};
    const { focused } = look;
    const ref = focused && refsOf(this.#tab).giveDescribed(focused.frame, focused.doc, focused, "focus");
    return reportOfFields(look, ref);
  }
}
