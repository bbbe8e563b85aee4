/** What a tab's page said, fetched and asked: bounded, in memory, with ids that stay, and told as it happens. */
import type { Page, Request } from "playwright";
import { redactText } from "../../security/secrets/redact.ts";
import { REDACTED } from "../../security/secrets/secret_shapes.ts";
import { navigatedFrame } from "../driver/navigated_frame.ts";
import type { DialogRecord } from "../effect_report.ts";
import type { TabReport } from "../event_sink.ts";
import { ConsoleCapture, type ConsoleEntry } from "./console_capture.ts";
import { NetworkCapture, type NetworkEntry } from "./network_capture.ts";
import type { HeaderFields } from "./own_headers.ts";
import { RequestsUnderWay } from "./requests_under_way.ts";
import { Ring } from "./ring.ts";

/** Dialogs kept (protocol.md, Topics). */
const CAPACITY = 50_000;

export interface CaptureOptions {
  /** Those that the session's user has set; their values are not kept. */
  ownHeaders: () => HeaderFields;
  report: TabReport;
}

/** Numbers of the last entries that belong to the pages before the one that is shown. */
export interface EarlierPages {
  console: number;
  network: number;
}

export class Capture {
  readonly dialogs = new Ring<DialogRecord>(CAPACITY);
  readonly underWay = new RequestsUnderWay();
  readonly #report: TabReport;
  readonly #console: ConsoleCapture;
  readonly #network: NetworkCapture;
  #earlier: EarlierPages = { console: 0, network: 0 };
  /** The request for a document that may come to be shown, and the entries before it. */
  #coming: { request: Request; before: EarlierPages } | undefined;

  constructor(page: Page, { ownHeaders, report }: CaptureOptions) {
    this.#report = report;
    this.#console = new ConsoleCapture({ report: (data) => report("console", data) });
    this.#network = new NetworkCapture({ ownHeaders, report: (data) => report("network", data) });
    this.follow(page);
  }

  get console(): Ring<ConsoleEntry> {
    return this.#console.entries;
  }

  get network(): Ring<NetworkEntry> {
    return this.#network.entries;
  }

  /** Takes down what this page says and fetches from now on, beside what is here. */
  follow(page: Page): void {
    this.#console.followPage(page);
    this.#network.followPage(page);
    this.underWay.follow(page);
    page.on("request", (request) => this.#asked(page, request));
    page.on("requestfailed", (request) => {
      if (request === this.#coming?.request) this.#coming = undefined;
    });
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() || !this.#coming) return;
      this.#earlier = this.#coming.before;
      this.#coming = undefined;
    });
  }

  /** Where the entries of the page that is shown begin. */
  get earlier(): Readonly<EarlierPages> {
    return this.#earlier;
  }

  /**
   * The requests that led to it by redirect belong to the page as well, and what is said until it is there: nothing
   * orders what a page says and the word that it has come.
   */
  #asked(page: Page, request: Request): void {
    if (navigatedFrame(request) !== page.mainFrame()) return;
    const here = { console: this.console.total, network: this.network.total - 1 };
    this.#coming = { request, before: (request.redirectedFrom() && this.#coming?.before) || here };
  }

  /** Puts a line of ours among what the page says. */
  say(text: string): void {
    this.#console.say(text);
  }

  /** Takes down a dialog when it opens, and again when it is answered. What was typed into it is not kept. */
  noteDialog({ answer, ...record }: DialogRecord): void {
    const kept = { ...record, message: redactText(record.message), ...(answer !== undefined && { answer: REDACTED }) };
    const known = this.dialogs.at(record.id);
    if (known) Object.assign(known, kept);
    else this.dialogs.push(kept);
    const { time: _, ...data } = kept;
    this.#report("dialog", data);
  }

  /** The driver's request of that id, as long as it is remembered: its bodies can be asked for. */
  requestOf(id: number): ReturnType<NetworkCapture["requestOf"]> {
    return this.#network.requestOf(id);
  }
}
