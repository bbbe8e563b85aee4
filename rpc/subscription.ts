/** One reader of some topics, with a bounded queue for when it is slow. */
import { Ring } from "../browser/ring.ts";
import type { EventRecord } from "./protocol.ts";
import { wellFormedJson } from "./terminal.ts";

/** What a subscription needs of a connection. */
export interface Subscriber {
  sendEvent(frame: string): void;
  /** Bytes the reader has yet to take. */
  readonly bufferedBytes: number;
  /** Calls back once the reader has taken something more. */
  onceTaken(callback: () => void): void;
}

/** Above this many unread bytes, events wait in the queue instead of in the socket. */
const MAX_SOCKET_BYTES = 8 * 1024 * 1024;

/** Events of a topic that are lost to this subscription. */
export interface Gap {
  topic: string;
  dropped: number;
  from: number;
  to: number;
}

export interface SubscriptionOptions {
  id: string;
  subscriber: Subscriber;
  topics: ReadonlySet<string>;
  matches: (event: EventRecord) => boolean;
  /** Events that may wait. */
  capacity: number;
  /** What is replayed before anything new. */
  backlog: readonly (EventRecord | Gap)[];
}

export class Subscription {
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly #topics: ReadonlySet<string>;
  readonly #matches: (event: EventRecord) => boolean;
  readonly #queue: Ring<EventRecord>;
  /** Number, in the queue, of the newest event that was handed to the socket. */
  #sent = 0;
  /** What fell out of the queue since the last event was sent. */
  readonly #gaps = new Map<string, Gap>();
  #backlog: readonly (EventRecord | Gap)[];
  #replayed = 0;
  /** Not started, or behind a slow reader: events queue up. */
  #isWaiting = true;

  constructor({ id, subscriber, topics, matches, capacity, backlog }: SubscriptionOptions) {
    this.id = id;
    this.subscriber = subscriber;
    this.#topics = topics;
    this.#matches = matches;
    this.#queue = new Ring(capacity);
    this.#backlog = backlog;
  }

  /** Begins to send: the reader knows the subscription's id by now. */
  start(): void {
    this.#drain();
  }

  /** Sends the event if it is wanted, or keeps it until the reader has caught up, dropping the oldest. */
  offer(event: EventRecord): void {
    if (!this.#topics.has(event.topic) || !this.#matches(event)) return;
    if (!this.#isWaiting && this.#hasRoom) this.#send(event);
    else this.#enqueue(event);
  }

  #enqueue(event: EventRecord): void {
    if (this.#queue.total - this.#sent >= this.#queue.capacity) this.#dropOldest();
    this.#queue.push(event);
    if (!this.#isWaiting) this.#wait();
  }

  get #hasRoom(): boolean {
    return this.subscriber.bufferedBytes < MAX_SOCKET_BYTES;
  }

  #wait(): void {
    this.#isWaiting = true;
    this.subscriber.onceTaken(this.#drain);
  }

  readonly #drain = (): void => {
    while (this.#hasRoom) {
      const next = this.#backlog[this.#replayed++] ?? this.#nextQueued();
      if (next === undefined) {
        this.#isWaiting = false;
        // What was sent need not be held any longer.
        this.#backlog = [];
        this.#queue.clear();
        return;
      }
      this.#send(next);
    }
    this.#wait();
  };

  #nextQueued(): EventRecord | Gap | undefined {
    for (const [topic, gap] of this.#gaps) {
      this.#gaps.delete(topic);
      return gap;
    }
    return this.#sent < this.#queue.total ? this.#queue.at(++this.#sent) : undefined;
  }

  #dropOldest(): void {
    const event = this.#queue.at(++this.#sent);
    if (!event) return;
    const { topic, seq } = event;
    const gap = this.#gaps.get(topic);
    if (gap) {
      gap.dropped++;
      gap.to = seq;
    } else {
      this.#gaps.set(topic, { topic, dropped: 1, from: seq, to: seq });
    }
  }

  #send(message: EventRecord | Gap): void {
    const method = "dropped" in message ? "gap" : "event";
    const params = { subscription: this.id, ...message };
    this.subscriber.sendEvent(wellFormedJson({ jsonrpc: "2.0", method, params }));
  }
}
