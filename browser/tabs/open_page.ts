import type { BrowserContext, Page } from "playwright";
import { within } from "../../abort.ts";

/** A page whose process has died while it was made is asked for anew; more deaths in a row have another cause. */
const MAX_TRIES = 3;
/** Chromium makes one in a tenth of that. Of some deaths in the making the driver never hears (Chromium 156). */
const MAX_MAKING_MS = 3_000;

/** A new page. One that is lost in the making has shown nothing and done nothing, so another takes its place. */
async function openPage(context: BrowserContext): Promise<Page> {
  for (let tries = 1; ; tries++) {
    const isLast = tries === MAX_TRIES;
    try {
      const page = await (isLast ? context.newPage() : pageInTime(context));
      if (page) return page;
    } catch (error) {
      if (isLast || !/crashed/i.test(String(error))) throw error;
    }
  }
}

/** Undefined when it is not there in time; should it come later, it is closed. */
async function pageInTime(context: BrowserContext): Promise<Page | undefined> {
  const making = context.newPage();
  const page = await within(MAX_MAKING_MS, making, undefined);
  if (!page) void making.then((unwanted) => unwanted.close()).catch(() => undefined);
  return page;
}

/** Pages that were opened here, of one kind: no page has asked for them. */
export class OpenedHere {
  readonly #pages = new WeakSet<Page>();
  readonly #opening = new Set<Promise<unknown>>();

  /** While this is so, a new page may be one of them. */
  get isOpening(): boolean {
    return this.#opening.size > 0;
  }

  async open(context: BrowserContext): Promise<Page> {
    const opening = openPage(context);
    const told = opening.then(
      (page) => this.#pages.add(page),
      () => undefined,
    );
    this.#opening.add(told);
    try {
      return await opening;
    } finally {
      this.#opening.delete(told);
    }
  }

  /** Resolves when it is known of the page. */
  async includes(page: Page): Promise<boolean> {
    await Promise.all(this.#opening);
    return this.#pages.has(page);
  }
}
