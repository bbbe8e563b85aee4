/** One tab with rules, in whichever page it goes on. */
import type { Frame, Page } from "playwright";
import type { RefusedLoad } from "../navigation/refused_loads.ts";
import type { Tab } from "../tabs/tab.ts";
import { type GuardedPage, guardPage, type Refused } from "./guarded_page.ts";
import type { PageRules } from "./page_rules.ts";

interface GuardedTabOptions {
  rules: PageRules;
  refuse: (load: RefusedLoad) => void;
  onTabRequested: (url: string) => void;
}

/** A page that cannot be left by then is hung, and is read by nobody either. */
const LEAVE_MS = 2_000;
const LEAVE_TRIES = 3;
const BLANK = "about:blank";
const OF_SERVER = /^(?:https?|file|blob):/i;

export class GuardedTab {
  readonly rules: PageRules;
  readonly tab: Tab;
  /** The browser's names of its pages. */
  readonly targets = new Set<string>();
  readonly #options: GuardedTabOptions;
  readonly #pages = new WeakMap<Page, Promise<GuardedPage>>();
  #holding: Promise<void> = Promise.resolve();

  constructor(tab: Tab, options: GuardedTabOptions) {
    this.tab = tab;
    this.rules = options.rules;
    this.#options = options;
    tab.events.on("navigated", (frame) => {
      if (frame === tab.page.mainFrame()) this.arrived(frame.url());
      else this.#frameArrived(frame);
    });
    tab.events.on("moved", ({ to }) => void this.hold(to).catch(() => undefined));
  }

  /** Has the page load by the rules, or another one that the tab is to go on in; resolves when they hold. */
  async hold(page: Page = this.tab.page): Promise<void> {
    this.#holding = this.#holding.catch(() => undefined).then(() => this.#hold(page));
    await this.#holding;
  }

  /** Resolves when what was last laid holds. */
  async held(): Promise<void> {
    await this.#holding;
  }

  refuse({ hasGone, ...load }: Refused): void {
    this.#options.refuse({ ...load, isLeft: hasGone === true });
    if (hasGone) this.#checked(leave(this.tab));
  }

  /** What was under way before the rules were, and what the history has, asks for nothing. */
  arrived(url: string): void {
    const error = this.rules.refusalOfArrival(url);
    if (!error) return;
    this.#options.refuse({ url, error, isMain: true, isLeft: true });
    this.#checked(leave(this.tab));
  }

  /** A frame that cannot be emptied takes the page around it along: nobody reads what it shows. */
  #frameArrived(frame: Frame): void {
    const url = frame.url();
    const emptied = this.#emptied(frame).catch(async (error: Error) => {
      this.#options.refuse({ url, error, isMain: true, isLeft: true });
      await leave(this.tab);
    });
    this.#checked(emptied);
  }

  /** What runs in the tab waits for it. */
  #checked(check: Promise<void>): void {
    const { checks } = this.tab;
    const ended = check.finally(() => checks.delete(ended));
    checks.add(ended);
  }

  /** Frames that were there before the rules show nothing of where they may not be. Throws what is said of one that stays. */
  async framesEmptied(): Promise<void> {
    const { page } = this.tab;
    await Promise.all(page.frames().map(async (frame) => frame !== page.mainFrame() && (await this.#emptied(frame))));
  }

  async #emptied(frame: Frame): Promise<void> {
    const url = frame.url();
    // What else a frame shows, the document around it has written.
    const error = OF_SERVER.test(url) ? this.rules.refusalOfArrival(url) : undefined;
    if (!error) return;
    this.#options.refuse({ url, error, isMain: false, isLeft: true });
    await frame.goto(BLANK, { waitUntil: "commit", timeout: LEAVE_MS }).catch(() => undefined);
    if (!frame.isDetached() && frame.url() === url) throw error;
  }

  async #hold(page: Page): Promise<void> {
    if (this.rules.patterns.length === 0) return;
    let guarded = this.#pages.get(page);
    if (!guarded) {
      guarded = this.#open(page);
      this.#pages.set(page, guarded);
      guarded.catch(() => this.#pages.delete(page));
    }
    await (await guarded).hold();
  }

  async #open(page: Page): Promise<GuardedPage> {
    const { rules, onTabRequested } = this.#options;
    const guarded = await guardPage(page, { rules, refuse: (load) => this.refuse(load), onTabRequested });
    this.targets.add(guarded.id);
    return guarded;
  }
}

/** The tab shows nothing of where it has been. One that has closed does so already. */
export async function leave(tab: Tab): Promise<void> {
  const { page } = tab;
  for (let tries = 1; tries <= LEAVE_TRIES && tab.isOpen; tries++) {
    // What was about to be shown may come in between, and is left in turn.
    await page.goto(BLANK, { waitUntil: "commit", timeout: LEAVE_MS }).catch(() => undefined);
    if (page.url() === BLANK) return;
    await page.waitForURL(BLANK, { waitUntil: "commit", timeout: LEAVE_MS / LEAVE_TRIES }).catch(() => undefined);
  }
}
