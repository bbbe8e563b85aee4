/** The waits for what an action has begun: by events, each for as long as that kind of thing may take. */

import { abortable, delay, within } from "../../abort.ts";
import { untilTurns } from "../../browser/driver/world.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { ActionEvents } from "./action_events.ts";
import { untilBlocked } from "./interruptions.ts";

/** A page that asked to leave and has sent no request for it by now has thought better of it. */
const MAX_UNSENT_MS = 1500;
const MAX_PARSE_MS = 2000;
const MAX_OPENING_MS = 3000;
const MAX_CLOSING_MS = 2000;
/** From a navigation that was broken off, or a tab that came blank, to the download it became. */
const MAX_DOWNLOAD_MS = 300;
/** From the click on a link that downloads to the server's answer. */
const MAX_ANSWER_MS = 2000;
/** From the click on a field for files to its chooser: the page may be one that gets none. */
const MAX_CHOOSER_MS = 300;
/** For a download to be complete. */
const MAX_KEEPING_MS = 2000;
/** For what the scripts of a page that has just come ask for. Other pages ask for ever. */
const MAX_BUILDING_MS = 1_000;
/** From a step through a page's own history to the request that it makes for it. */
const STEP_MS = 50;
/** From the last answer to what is made of it: a frame and the tasks after it. */
const BUILT_MS = 25;

/** What the page says is about to come, before the browser does. */
export interface Coming {
  closing: boolean;
  choosing?: boolean | undefined;
  /** The address of a file. */
  downloading?: string | undefined;
}

export class EffectWaits {
  readonly #tab: Tab;
  readonly #seen: ActionEvents;
  /** Downloads are waited for once, however often what was begun is. */
  #keptUntil: number | undefined;

  constructor(tab: Tab, seen: ActionEvents) {
    this.#tab = tab;
    this.#seen = seen;
  }

  /** Waits for navigations (no longer than `until`), tabs and downloads that have begun. */
  async untilArrived(until: number, coming: Coming, signal: AbortSignal): Promise<void> {
    const seen = this.#seen;
    await this.#until(() => this.#navigationWait(until), signal);
    const closed = performance.now() + MAX_CLOSING_MS;
    await this.#until(() => (coming.closing ? closed : 0), signal);
    const chosen = performance.now() + MAX_CHOOSER_MS;
    await this.#until(() => (coming.choosing && !seen.chooser && !seen.haveFilesCome ? chosen : 0), signal);
    const answered = performance.now() + MAX_ANSWER_MS;
    await this.#until(
      () => (coming.downloading !== undefined && seen.downloads.length === 0 && !seen.navigated ? answered : 0),
      signal,
    );
    const opened = performance.now() + MAX_OPENING_MS;
    await this.#until(() => (seen.isOpening ? opened : 0), signal);
    seen.isOpening = false;
    const shown = performance.now() + MAX_DOWNLOAD_MS;
    await this.#until(() => (seen.isTabUnanswered ? shown : 0), signal);
    await this.#until(() => (seen.brokenOffAt && !seen.isSpent ? seen.brokenOffAt + MAX_DOWNLOAD_MS : 0), signal);
    await this.#until(() => (seen.isDownloading ? this.#keepingWait() : 0), signal);
  }

  #keepingWait(): number {
    this.#keptUntil ??= performance.now() + MAX_KEEPING_MS;
    return this.#keptUntil;
  }

  #navigationWait(until: number): number {
    const { isNavigating, asked } = this.#seen;
    if (isNavigating) return until;
    return asked ? Math.min(until, asked.at + MAX_UNSENT_MS) : 0;
  }

  /** Resolves at the next event, or when the time is over. */
  async eventWithin(ms: number): Promise<void> {
    await within(ms, this.#seen.next, undefined);
  }

  /** Waits, event by event, while `deadline` gives a time that has not come. */
  async #until(deadline: () => number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = deadline() - performance.now();
      if (left <= 0 || !this.#tab.isOpen || this.#tab.dialogs.open) return;
      await abortable(this.eventWithin(left), signal);
    }
  }

  /** For the next snapshot of a new document to see something. */
  async untilParsed(signal: AbortSignal): Promise<void> {
    if (!this.#tab.isOpen) return;
    // What is slower to parse is read as far as it has come.
    const parsed = this.#tab.page
      .waitForLoadState("domcontentloaded", { timeout: MAX_PARSE_MS })
      .catch(() => undefined);
    await abortable(untilBlocked(this.#tab, parsed), signal);
  }

  /** A page that builds itself by script, or does so anew at a step through its history, is empty when it arrives. */
  async untilBuilt(signal: AbortSignal): Promise<void> {
    const { requests } = this.#seen;
    if (!this.#tab.isOpen || this.#tab.pendingNavigation.isArriving) return;
    if (requests.isNewDocument && !requests.hasScripts && !requests.isBuilding) return;
    const until = performance.now() + MAX_BUILDING_MS;
    const quiet = () => (requests.endedAt > 0 ? requests.endedAt + BUILT_MS : 0);
    const begun = performance.now() + (requests.isNewDocument ? 0 : STEP_MS);
    await this.#until(() => (requests.isBuilding || requests.endedAt > 0 ? 0 : begun), signal);
    // The page makes something of an answer in a task of its own, and may ask for more then.
    for (let ended = -1; ended !== requests.endedAt && performance.now() < until; ) {
      ended = requests.endedAt;
      if (!requests.isBuilding) await this.#turns(until - performance.now(), signal);
      await this.#until(() => (requests.isBuilding ? until : Math.min(quiet(), until)), signal);
    }
  }

  async #turns(maxMs: number, signal: AbortSignal): Promise<void> {
    await this.atMost(maxMs, [untilTurns(this.#tab.page.mainFrame())], signal);
  }

  /** Waits for what the page is asked for, as long as it can answer. */
  async atMost(maxMs: number, work: readonly Promise<unknown>[], signal: AbortSignal): Promise<void> {
    const over = Promise.race([Promise.all(work), delay(maxMs, signal)]);
    await abortable(untilBlocked(this.#tab, over), signal);
  }
}
