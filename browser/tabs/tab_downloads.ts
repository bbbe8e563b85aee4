/**
 * The downloads of a tab that are not over, begun or only asked for. Those that have begun need no page: they go on when
 * it is left or closed. Of those that have not, Chromium (156) makes no file any more then.
 */
import { documentOf } from "../driver/inside.ts";
import type { DownloadRecord } from "../effect_report.ts";
import type { StateKey } from "../state_of.ts";
import type { Tab } from "./tab.ts";

/** Asked for by clicks, and not begun. A page has no end of them. */
const MAX_ASKED = 10;

interface Asked {
  url: string;
  /** The document that the tab showed. */
  document: string | undefined;
}

export const TAB_DOWNLOADS: StateKey<Tab, TabDownloads> = { make: (tab) => new TabDownloads(tab) };

export class TabDownloads {
  readonly #tab: Tab;
  readonly #running = new Set<DownloadRecord>();
  #asked: Asked[] = [];

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Neither complete nor failed, in the order in which they began. */
  get running(): DownloadRecord[] {
    return [...this.#running];
  }

  /** Addresses that the page asked to have downloaded, and of which the browser has told nothing: neither a request nor a file. */
  get asked(): string[] {
    return this.#asked.map(({ url }) => url);
  }

  noteBegun(record: DownloadRecord, url: string): void {
    this.#running.add(record);
    // Of one that was led elsewhere nobody knows where it was asked for.
    const isKnown = this.#asked.some((each) => each.url === url);
    this.#asked = isKnown ? this.#asked.filter((each) => each.url !== url) : [];
  }

  noteEnded(record: DownloadRecord): void {
    this.#running.delete(record);
  }

  noteAsked(url: string): void {
    const document = this.#document;
    const isKnown = this.#asked.some((each) => each.url === url && each.document === document);
    if (!isKnown && this.#asked.length < MAX_ASKED) this.#asked.push({ url, document });
  }

  /** Those whose page has been left since, each told once. */
  takeLost(): string[] {
    const now = this.#document;
    const lost = this.#asked.filter(({ document }) => document !== now);
    this.#asked = this.#asked.filter((each) => !lost.includes(each));
    return lost.map(({ url }) => url);
  }

  get #document(): string | undefined {
    return documentOf(this.#tab.page.mainFrame());
  }
}
