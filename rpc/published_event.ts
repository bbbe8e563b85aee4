/** An event on its way to everyone who asked for it: made into JSON once, however many they are. */
import type { EventRecord } from "./protocol.ts";
import { wellFormedJson } from "./terminal.ts";

export class PublishedEvent {
  readonly event: EventRecord;
  #json: string | undefined;

  constructor(event: EventRecord) {
    this.event = event;
  }

  get json(): string {
    this.#json ??= wellFormedJson(this.event);
    return this.#json;
  }
}

/** The newest moment that was asked for, and how it is written. */
let lastMs = 0;
let lastText = "";

/** The time, ISO 8601. Events of one millisecond share one string: in a storm there are hundreds. */
export function timeNow(): string {
  const ms = Date.now();
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
