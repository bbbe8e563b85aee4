/** An event on its way to everyone who asked for it: made into JSON once, however many they are. */

import { wellFormedJson } from "../line/terminal.ts";
import type { EventRecord } from "../protocol.ts";

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
