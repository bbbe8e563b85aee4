/** What a tab's page said, fetched and asked: bounded, in memory, with ids that stay, and told as it happens. */
import type { Page } from "playwright";
import { redactText } from "../security/redact.ts";
import { REDACTED } from "../security/secret_shapes.ts";
import { ConsoleCapture, type ConsoleEntry } from "./console_capture.ts";
import type { DialogRecord } from "./effect_report.ts";
import { NetworkCapture, type NetworkEntry } from "./network_capture.ts";
import type { HeaderFields } from "./own_headers.ts";
import type { TabReport } from "./report.ts";
import { Ring } from "./ring.ts";

/** Dialogs kept (protocol.md, Topics). */
const CAPACITY = 50_000;

export interface CaptureOptions {
  /** Those that the session's user has set; their values are not kept. */
  ownHeaders: () => HeaderFields;
  report: TabReport;
}

export class Capture {
  readonly dialogs = new Ring<DialogRecord>(CAPACITY);
  readonly #report: TabReport;
  readonly #console: ConsoleCapture;
  readonly #network: NetworkCapture;

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
