/** One reader of some topics, with a bounded queue for when it is slow. Events that come together leave together. */
import { Ring } from "../../browser/capture/ring.ts";
import type { EventGap, EventRecord } from "../protocol.ts";
import { PublishedEvent } from "./published_event.ts";

/** What a subscription needs of a connection. */
export interface Subscriber {
  sendEvent(frame: string): void;
  /** Bytes the reader has yet to take. */
  readonly bufferedBytes: number;
  /** Calls back once the reader has taken something more. */
  onceTaken(callback: () => void): void;
}

/** What a reader is told: an event, or that some are lost to it. */
export type Told = PublishedEvent | EventGap;

/** Makes one message of what is told together. */
export type Encode = (subscription: string, told: readonly Told[]) => string;

/** Above this many unread bytes, events wait in the queue instead of in the socket. */
const MAX_SOCKET_BYTES = 8 * 1024 * 1024;
/** In one message, which no reader may find too large. Characters. */
const MAX_TOGETHER = 500;
const MAX_TOGETHER_LENGTH = 256 * 1024;
/**
 * Between two messages, so that a storm is not a message for each handful of events: each costs the system, on both
 * sides, more than what is in it. The first event after that leaves at once.
 */
const MIN_APART_MS = 10;

export interface SubscriptionOptions {
  id: string;
  subscriber: Subscriber;
  /** Nobody of whom it is counted when absent. */
  owner?: string | undefined;
  topics: ReadonlySet<string>;
  matches: (event: EventRecord) => boolean;
  /** Events that may wait. */
  capacity: number;
  /** What is replayed before anything new. */
  backlog: readonly (EventRecord | EventGap)[];
  encode?: Encode;
}

export class Subscription {
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly owner: string | undefined;
  readonly #topics: ReadonlySet<string>;
  readonly #matches: (event: EventRecord) => boolean;
  readonly #encode: Encode;
  readonly #queue: Ring<PublishedEvent>;
  /** Number, in the queue, of the newest event that was handed to the socket. */
  #sent = 0;
  /** What fell out of the queue since the last event was sent. */
  readonly #gaps = new Map<string, EventGap>();
  #backlog: readonly (EventRecord | EventGap)[];
  #replayed = 0;
  /** `waiting`: not started, or behind a slow reader. `due`: what has come leaves at the end of this turn, or soon. */
  #state: "waiting" | "due" | "idle" = "waiting";
  #lastSentAt = 0;
  #dropped = 0;

  constructor({ id, subscriber, owner, topics, matches, capacity, backlog, encode = wireFrame }: SubscriptionOptions) {
    this.id = id;
    this.subscriber = subscriber;
    this.owner = owner;
    this.#topics = topics;
    this.#matches = matches;
    this.#queue = new Ring(capacity);
    this.#backlog = backlog;
    this.#encode = encode;
  }

  /** Events that wait to be sent. */
  get queued(): number {
    return this.#queue.total - this.#sent;
  }

  /** Events that it has lost so far for being slow. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Begins to send: the reader knows the subscription's id by now. */
  start(): void {
    this.#drain();
  }

  /** Sends what would have left by itself. */
  end(): void {
    this.#drainIfDue();
  }

  /** Keeps the event, if it is wanted, until it is due or the reader has caught up. */
  offer(published: PublishedEvent): void {
    const { event } = published;
    if (!this.#topics.has(event.topic) || !this.#matches(event)) return;
    if (this.queued >= this.#queue.capacity) this.#makeRoom();
    this.#queue.push(published);
    if (this.#state !== "idle") return;
    this.#state = "due";
    const early = this.#lastSentAt + MIN_APART_MS - performance.now();
    if (early > 0) setTimeout(this.#drainIfDue, early);
    else setImmediate(this.#drainIfDue);
  }

  /** Not when a full queue has had it sent already. */
  readonly #drainIfDue = (): void => {
    if (this.#state === "due") this.#drain();
  };

  /** A small queue must not lose what the reader could have taken. */
  #makeRoom(): void {
    if (this.#state === "due") this.#drain();
    if (this.queued >= this.#queue.capacity) this.#dropOldest();
  }

  get #hasRoom(): boolean {
    return this.subscriber.bufferedBytes < MAX_SOCKET_BYTES;
  }

  readonly #drain = (): void => {
    while (this.#hasRoom) {
      const together = this.#next();
      if (together.length === 0) {
        this.#state = "idle";
        // What was sent need not be held any longer.
        this.#backlog = [];
        this.#queue.clear();
        return;
      }
      this.subscriber.sendEvent(this.#encode(this.id, together));
      this.#lastSentAt = performance.now();
    }
    this.#state = "waiting";
    this.subscriber.onceTaken(this.#drain);
  };

  #next(): Told[] {
    const together: Told[] = [];
    let length = 0;
    while (together.length < MAX_TOGETHER && length < MAX_TOGETHER_LENGTH) {
      const next = this.#nextReplayed() ?? this.#nextQueued();
      if (next === undefined) break;
      together.push(next);
      if (next instanceof PublishedEvent) length += next.json.length;
    }
    return together;
  }

  #nextReplayed(): Told | undefined {
    const next = this.#backlog[this.#replayed++];
    return next && ("dropped" in next ? next : new PublishedEvent(next));
  }

  #nextQueued(): Told | undefined {
    for (const [topic, gap] of this.#gaps) {
      this.#gaps.delete(topic);
      return gap;
    }
    return this.#sent < this.#queue.total ? this.#queue.at(++this.#sent) : undefined;
  }

  #dropOldest(): void {
    const oldest = this.#queue.at(++this.#sent);
    if (!oldest) return;
    this.#dropped++;
    const { topic, seq } = oldest.event;
    const gap = this.#gaps.get(topic);
    if (gap) {
      gap.dropped++;
      gap.to = seq;
    } else {
      this.#gaps.set(topic, { topic, dropped: 1, from: seq, to: seq });
    }
  }
}

/** Notifications of the protocol: one alone, or several as a JSON-RPC batch. */
function wireFrame(subscription: string, told: readonly Told[]): string {
  const head = `"params":{"subscription":${JSON.stringify(subscription)},`;
  const notifications = told.map((one) =>
    one instanceof PublishedEvent
      ? `{"jsonrpc":"2.0","method":"event",${head}${one.json.slice(1)}}`
      : `{"jsonrpc":"2.0","method":"gap",${head}${JSON.stringify(one).slice(1)}}`,
  );
  return notifications.length === 1 ? String(notifications[0]) : `[${notifications.join(",")}]`;
}
