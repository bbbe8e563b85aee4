/** What an action did: waits, by events, for what it started, and says it. Nothing is slept through. */
import type { EffectReport } from "../browser/effect_report.ts";
import type { Tab } from "../browser/tab.ts";
import { untilAborted } from "../browser/tab_lock.ts";
import type { ActedOn } from "../rpc/journal.ts";
import { cutUrl } from "../security/redact.ts";
import { beginAction, lastSeen, noteWatching, touchedFrames } from "./acted.ts";
import { noteActions } from "./acted_on.ts";
import { Happenings } from "./happenings.ts";
import { untilBlocked, untilLeaving } from "./leaving.ts";
import type { Changes } from "./page/act_protocol.ts";
import { ask } from "./reader.ts";

const MAX_NAVIGATION_MS = 10_000;
/** A page that asked to leave and has sent no request for it by now has thought better of it. */
const MAX_UNSENT_MS = 1500;
/** For the new document to be parsed, so that the next snapshot sees something. */
const MAX_PARSE_MS = 2000;
const MAX_OPENING_MS = 3000;
const MAX_CLOSING_MS = 2000;
/** From a navigation that was broken off to the download it became. */
const MAX_DOWNLOAD_MS = 300;
/** From the click on a link that downloads to the server's answer. */
const MAX_ANSWER_MS = 2000;
const MAX_SETTLE_MS = 2000;
/** Quiet after changes made at once: a frame and the tasks after it. */
const QUIET_MS = 25;
/** Quiet after changes that go on, or that a request brings. */
const LONG_QUIET_MS = 150;
/** Dialogs that are told one by one. */
const MAX_DIALOGS = 10;
/** Changes seen so lately need not be asked for again. */
const FRESH_MS = 5;

/** Begins to watch the tab and what the call of this signal does; call before the action. Costs no wait: the page is told without waiting for its answer. */
export function observeEffects(tab: Tab, signal: AbortSignal): EffectObserver {
  return new EffectObserver(tab, signal);
}

export class EffectObserver implements Disposable {
  /** The elements that it is done to, as they become known. */
  readonly actedOn: readonly ActedOn[];
  readonly #tab: Tab;
  readonly #happenings: Happenings;
  readonly #watching = new AbortController();
  #isClosing = false;
  #isDownloading = false;

  constructor(tab: Tab, signal: AbortSignal) {
    this.#tab = tab;
    this.actedOn = noteActions(signal);
    beginAction(tab);
    this.#happenings = new Happenings(tab);
    noteWatching(tab, this.#tell("watch"));
  }

  /** What came of the action, once what it started has come to rest. `page`: its document's changes count too. */
  async settle(kind: "page" | "navigation", signal: AbortSignal): Promise<EffectReport> {
    const until = performance.now() + MAX_NAVIGATION_MS;
    const changes = kind === "page" ? await this.#look(signal) : undefined;
    await this.#untilArrived(until, signal);
    const settled = kind === "page" ? await this.#untilQuiet(changes, signal) : undefined;
    await this.#untilArrived(until, signal);
    if (kind === "page" && this.#happenings.isNewDocument) await this.#untilParsed(signal);
    const report = this.#report(settled?.changed ?? 0);
    return Object.keys(report).length > 0 ? report : { nothing: true };
  }

  /** What is known already, without waiting for anything or asking the page. */
  soFar(): EffectReport {
    const { asked } = this.#happenings;
    return { ...this.#report(0), ...(asked && { navigating: asked.url }), unsettled: true };
  }

  [Symbol.dispose](): void {
    this.#happenings.stop();
    this.#watching.abort();
    if (this.#tab.isOpen && !this.#tab.dialogs.open) void this.#tell("end");
  }

  /** The answers may never come, since the page may be leaving, or hang: who waits for them watches for that too. */
  async #tell(what: "watch" | "end"): Promise<void> {
    const answers = touchedFrames(this.#tab).map(async (frame) => {
      const signal = what === "watch" ? this.#watching.signal : AbortSignal.timeout(MAX_SETTLE_MS);
      await (what === "watch" ? ask(frame, "watch", {}, { signal }) : ask(frame, "changes", { end: true }, { signal }));
    });
    await Promise.allSettled(answers);
  }

  /** Nobody is there to ask, or what is there is not what was acted on, or it is about to be left. */
  #isElsewhere(): boolean {
    const { isNewDocument, isNavigating, asked } = this.#happenings;
    return (
      !this.#tab.isOpen || this.#tab.dialogs.open !== undefined || isNewDocument || isNavigating || asked !== undefined
    );
  }

  /** What has changed so far; undefined when the page leaves before it answers. */
  async #look(signal: AbortSignal): Promise<Changes | undefined> {
    if (this.#isElsewhere()) return undefined;
    using leaving = untilLeaving(this.#tab);
    const frames = touchedFrames(this.#tab);
    const looks = frames.map(async (frame) => {
      const seen = lastSeen(this.#tab, frame, FRESH_MS);
      // A frame that went, or whose document did, is a change that the frame around it has seen.
      return (
        seen ??
        (await ask(frame, "changes", { end: false }, { signal }).catch(
          (): Changes => ({ changed: 0, quietMs: 0, closing: false, downloading: false }),
        ))
      );
    });
    const answers = Promise.all([Promise.all(looks), this.#tab.frameSessions.untilTold(frames)]);
    const [all] = (await untilAborted(Promise.race([answers, leaving.promise]), signal)) ?? [];
    if (!all) return undefined;
    this.#isClosing = all.some(({ closing }) => closing);
    this.#isDownloading = all.some(({ downloading }) => downloading);
    const changed = all.reduce((sum, look) => sum + look.changed, 0);
    const quietMs = Math.min(...all.filter((look) => look.changed > 0).map((look) => look.quietMs));
    const pending = all.some((look) => look.pending === true);
    const outlook = { closing: this.#isClosing, downloading: this.#isDownloading, pending };
    return { changed, quietMs: changed === 0 ? 0 : quietMs, ...outlook };
  }

  /** Waits for navigations (no longer than `until`), tabs and downloads that have begun. */
  async #untilArrived(until: number, signal: AbortSignal): Promise<void> {
    const seen = this.#happenings;
    await this.#until(() => this.#navigationWait(until), signal);
    const closed = performance.now() + MAX_CLOSING_MS;
    await this.#until(() => (this.#isClosing ? closed : 0), signal);
    const answered = performance.now() + MAX_ANSWER_MS;
    await this.#until(
      () => (this.#isDownloading && seen.downloads.length === 0 && !seen.navigated ? answered : 0),
      signal,
    );
    this.#isDownloading = false;
    const opened = performance.now() + MAX_OPENING_MS;
    await this.#until(() => (seen.isOpening ? opened : 0), signal);
    seen.isOpening = false;
    await this.#until(
      () => (seen.brokenOffAt && seen.downloads.length === 0 ? seen.brokenOffAt + MAX_DOWNLOAD_MS : 0),
      signal,
    );
  }

  #navigationWait(until: number): number {
    const { isNavigating, asked } = this.#happenings;
    if (isNavigating) return until;
    return asked ? Math.min(until, asked.at + MAX_UNSENT_MS) : 0;
  }

  /** Waits, event by event, while `deadline` gives a time that has not come. */
  async #until(deadline: () => number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = deadline() - performance.now();
      if (left <= 0 || !this.#tab.isOpen || this.#tab.dialogs.open) return;
      await untilAborted(this.#eventWithin(left), signal);
    }
  }

  async #eventWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([promise, this.#happenings.next]);
    clearTimeout(timer);
  }

  /** Waits for the document to come to rest, when anything has begun to move in it. */
  async #untilQuiet(first: Changes | undefined, signal: AbortSignal): Promise<Changes | undefined> {
    const seen = this.#happenings;
    const until = performance.now() + MAX_SETTLE_MS;
    let look = first ?? (await this.#look(signal));
    let quiet = QUIET_MS;
    while (look && !this.#isElsewhere()) {
      const now = performance.now();
      if (seen.requests > 0 || seen.requestEndedAt > 0) quiet = LONG_QUIET_MS;
      const sinceRequest = seen.requestEndedAt > 0 ? now - seen.requestEndedAt : Number.POSITIVE_INFINITY;
      const sinceChange = look.pending ? 0 : look.changed > 0 ? look.quietMs : Number.POSITIVE_INFINITY;
      const left = quiet - Math.min(sinceRequest, sinceChange);
      if (now >= until || (seen.requests === 0 && left <= 0)) return look;
      await untilAborted(this.#eventWithin(Math.min(until - now, seen.requests > 0 ? until - now : left)), signal);
      const next = await this.#look(signal);
      if (next && next.changed > look.changed) quiet = LONG_QUIET_MS;
      look = next;
    }
    return look;
  }

  async #untilParsed(signal: AbortSignal): Promise<void> {
    if (!this.#tab.isOpen) return;
    // What is slower to parse is read as far as it has come.
    const parsed = this.#tab.page
      .waitForLoadState("domcontentloaded", { timeout: MAX_PARSE_MS })
      .catch(() => undefined);
    await untilAborted(untilBlocked(this.#tab, parsed), signal);
  }

  #report(changed: number): EffectReport {
    const { dialogs, opened, popUpsClosed, downloads, navigated, isNavigating, isNewDocument, asked, frames } =
      this.#happenings;
    const report: EffectReport = {};
    const { unshown } = this.#tab.departure;
    if (navigated && this.#tab.isOpen) {
      if (unshown) report.unloaded = { url: cutUrl(unshown.url), network: unshown.network };
      else report.navigated = this.#tab.url;
    }
    const destination = asked?.url ?? this.#tab.departure.url;
    if (isNavigating && destination !== undefined) report.navigating = cutUrl(destination);
    // Those of a page that has been left say nothing any more.
    if (frames.size > 0 && !isNewDocument) report.frames = [...frames].map(cutUrl);
    if (dialogs.size > 0) report.dialogs = [...dialogs].slice(0, MAX_DIALOGS);
    if (dialogs.size > MAX_DIALOGS) report.moreDialogs = dialogs.size - MAX_DIALOGS;
    if (opened.length > 0) report.opened = opened;
    if (popUpsClosed > 0) report.popUpsClosed = popUpsClosed;
    if (downloads.length > 0) report.downloads = downloads;
    if (!this.#tab.isOpen && !this.#tab.hasCrashed) report.closed = true;
    if (changed > 0) report.changed = changed;
    return report;
  }
}
