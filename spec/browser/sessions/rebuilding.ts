/** Sessions to be rebuilt, in a Chromium of their own, on pages of a local site. */
import type { Browser } from "playwright";
import { expect } from "vitest";
import { goTo } from "../../../browser/navigation/navigation.ts";
import { Session } from "../../../browser/sessions/session.ts";
import { CONTEXT_OPTIONS } from "../../../browser/sessions/session_options.ts";
import type { Tab } from "../../../browser/tabs/tab.ts";
import { toBrowseError } from "../../../errors.ts";
import { pageProbe } from "../../../refs/page_probe.ts";
import { registerReader } from "../../../refs/reader.ts";
import { RefNumbers } from "../../../refs/ref_table.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import { launchPlainChromium } from "../../harness/plain_chromium.ts";
import { Site } from "../../harness/site.ts";

export const { signal } = new AbortController();
export const WAIT = { wait: "dom", signal } as const;

let tabCount = 0;

export const OPTIONS = {
  name: "test",
  probe: pageProbe,
  artifactsDir: "/nowhere",
  dialogPolicy: "accept",
  nextTabId: () => `t${++tabCount}`,
  onTab: new RefNumbers().follow,
} as const;

export class Rebuilding implements AsyncDisposable {
  readonly browser: Browser;
  readonly site: Site;
  /** Headers of the last request for a page. */
  seen: Record<string, unknown> = {};
  /** Sessions that have ended. */
  closed = 0;
  readonly #faults: unknown[] = [];
  #session: Session | undefined;

  private constructor(browser: Browser, site: Site) {
    this.browser = browser;
    this.site = site;
  }

  static async begin(): Promise<Rebuilding> {
    await registerReader();
    const begun = new Rebuilding(await launchPlainChromium(), await Site.serve({}));
    for (const name of ["one", "two", "three"]) begun.#serve(name);
    return begun;
  }

  get session(): Session {
    if (!this.#session) throw new Error("No session has been opened");
    return this.#session;
  }

  async openSession(): Promise<void> {
    this.closed = 0;
    this.#faults.length = 0;
    this.#session = new Session(await this.browser.newContext(CONTEXT_OPTIONS), {
      ...OPTIONS,
      onClosed: () => this.closed++,
      onFault: (_message, cause) => this.#faults.push(cause),
    });
  }

  async closeSession(): Promise<void> {
    await this.session.context.close();
    expect(this.#faults).toEqual([]);
  }

  async tabAt(path: string): Promise<Tab> {
    const tab = await this.session.newTab(rootToken());
    await goTo(tab, `${this.site.url}${path}`, WAIT);
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.site[Symbol.asyncDispose]();
  }

  #serve(title: string): void {
    const html = `<!doctype html><title>${title}</title><button>${title} button</button><div style="height:5000px"></div>`;
    this.site.set(`/${title}`, (request, response) => {
      this.seen = request.headers;
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
  }
}

/** What the work that has to fail says. */
export async function failing(work: Promise<unknown>): Promise<string> {
  return toBrowseError(await work.catch((error: unknown) => error)).message;
}
