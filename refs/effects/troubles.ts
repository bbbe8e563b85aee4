/** What has gone wrong in a tab since a moment: errors that no script caught, and requests that failed. */

import type { Capture } from "../../browser/capture/capture.ts";
import type { ConsoleEntry } from "../../browser/capture/console_capture.ts";
import type { NetworkEntry } from "../../browser/capture/network_capture.ts";
import type { FailedRequest, PageError, TroubleReport } from "../../browser/effect_report.ts";
import { headOf } from "../../security/content/cut_text.ts";

/** Errors and requests that are told one by one. */
const MAX_TOLD = 3;
/** Of an error, in an answer that has others to tell; `console` has it whole. Characters. */
const MAX_TEXT = 200;
/** Of a stack, where the line that names the place is looked for. Characters. */
const MAX_STACK = 1_000;
const MAX_PLACE = 500;

/** What a page's content depends on. Its own document is told of with the navigation that it came by. */
const CONTENT_TYPES: ReadonlySet<string> = new Set(["script", "xhr", "fetch"]);

export class Troubles {
  readonly #capture: Capture;
  readonly #lines: number;
  readonly #requests: number;

  constructor(capture: Capture) {
    this.#capture = capture;
    this.#lines = capture.console.total;
    this.#requests = capture.network.total;
  }

  /** Of requests, those that were sent since. What the page breaks off itself has not failed. */
  told(): TroubleReport {
    const errors = this.#capture.console.since(this.#lines).filter(({ value }) => value.uncaught);
    const failed = this.#capture.network.since(this.#requests).filter(({ value }) => hasFailed(value));
    return {
      ...(errors.length > 0 && { errors: errors.slice(0, MAX_TOLD).map(({ value }) => shownError(value)) }),
      ...(errors.length > MAX_TOLD && { moreErrors: errors.length - MAX_TOLD }),
      ...(failed.length > 0 && { failed: failed.slice(0, MAX_TOLD).map(({ seq, value }) => shownRequest(seq, value)) }),
      ...(failed.length > MAX_TOLD && { moreFailed: failed.length - MAX_TOLD }),
    };
  }
}

function shownError({ text, stack, location }: ConsoleEntry): PageError {
  const [line = ""] = headOf(text, MAX_TEXT).split("\n", 1);
  const at = shortPlace(location ?? placeIn(headOf(stack ?? "", MAX_STACK)));
  return { text: line, ...(at !== undefined && { at }) };
}

/** `http://shop.example/app.js:12:5` of the first line that names a place: where the error was thrown. */
function placeIn(stack: string): string {
  const line = stack.split("\n").find((each) => /^\s*at /.test(each) && /:\d+:\d+\)?$/.test(each)) ?? "";
  return /[^\s(]+$/.exec(line)?.[0].replace(/\)$/, "") ?? "";
}

/** `app.js:12:5`. A page may give its scripts any name: one that could be taken for words of ours is left out. */
function shortPlace(place: string): string | undefined {
  const [, name, position] = /([\w.%@+~-]+)\/?(?:[?#].*)?(:\d+:\d+)$/.exec(headOf(place, MAX_PLACE)) ?? [];
  return name && `${name}${position}`;
}

function hasFailed({ resourceType, status, failure }: NetworkEntry): boolean {
  if (!CONTENT_TYPES.has(resourceType) || failure === "net::ERR_ABORTED") return false;
  return failure !== undefined || (status !== undefined && status >= 400);
}

function shownRequest(id: number, { method, url, status, failure }: NetworkEntry): FailedRequest {
  const why = failure === undefined ? { status } : { failure: failure.replace(/^net::/, "") };
  return { id, method, url, ...why } as FailedRequest;
}
