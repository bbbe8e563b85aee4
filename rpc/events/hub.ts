/** The topic hub: everything that happens passes here, numbered, kept for a while, and handed to whoever subscribed. */
import { timeNow } from "../../browser/capture/clock.ts";
import { Ring } from "../../browser/capture/ring.ts";
import type { Reported } from "../../browser/event_sink.ts";
import { BrowseError } from "../../errors.ts";
import { matchesGlob } from "../../security/urls/glob.ts";
import { suggestion } from "../../wording.ts";
import type {
  EventFilter,
  EventGap,
  EventRecord,
  HistoryParams,
  HistoryResult,
  SubscribeParams,
  SubscribeResult,
} from "../protocol.ts";
import { PublishedEvent } from "./published_event.ts";
import { type Encode, type Subscriber, Subscription } from "./subscription.ts";

/** Every topic, with what its events tell. */
export const TOPIC_SUMMARIES = {
  console: "What pages and workers say, and uncaught errors: `level`, `text`, `arguments`, `location`, `stack`",
  network:
    "Requests and WebSockets: `event` (request, response, finished, failed, closed), `id`, `url`, `type`, `status`",
  dialog: "Dialogs when they open and when they are answered: `type`, `message`, `outcome`",
  download: "Downloads: `event` (started, finished, failed), `name`, `url`, `path`",
  page: "Life of tabs: `event` (opened, navigated, load, title, crashed, closed, workerStarted, workerStopped, slowed, unslowed, scriptEnded, popUpsClosed)",
  activity: "Calls: `phase` (started, ended), `call`, `command`, `client`, `params`, `outcome`, `ms`, `effect`",
  refs: "Snapshots that were taken: `shown`, `total`, `url`",
  security:
    "Calls and loads that were denied, what the content guard found, tunnels: `event`, `command`, `reason`, `layer`, `message`, `token`, `via`",
  skills: "Skills that come, change and go: `event` (added, changed, removed, broken), `name`, `tier`, `reason`",
  daemon: "The browser is up or gone, the daemon shuts down: `event`",
  inspect: "Elements that were inspected: `element`",
} as const;
export type Topic = keyof typeof TOPIC_SUMMARIES;
export const TOPICS = Object.keys(TOPIC_SUMMARIES) as Topic[];

/** The one topic whose events have nothing of a page in them. */
const OF_OURS: Topic = "daemon";

const RING_CAPACITY = 1_000;
const LARGE_RING_CAPACITY = 50_000;
/** Characters that a topic's events hold together: how many are kept says nothing of how long each is. */
const MAX_CHARACTERS = 16_000_000;
const LARGE_RINGS: ReadonlySet<Topic> = new Set(["console", "network", "dialog"]);
const DEFAULT_BUFFER = 10_000;
const DEFAULT_HISTORY = 100;
/** Each event passes each of them. */
const MAX_SUBSCRIPTIONS = 100;

/** Where an event happened; joins its data. */
export interface EventPlace {
  tab?: string;
  session?: string;
}

/** An event as it waits to be asked for: what it shares with others, or with whoever reported it, is not copied. */
interface KeptEvent {
  time: string;
  place: EventPlace;
  data: Reported;
}

/** May a reader have this event? */
export type CanSee = (event: EventRecord) => boolean;

/** How one reader follows. */
export interface FollowOptions {
  /** Whose it is: they may have so many. No limit when absent. */
  owner?: string;
  /** All of it when absent. */
  canSee?: CanSee;
  /** The protocol's notifications when absent. */
  encode?: Encode;
  /** Of what is kept, only so many; all when absent. */
  newest?: number;
  /** Told of how many older ones are kept, when there are some. */
  onOlder?: (count: number) => void;
}

export interface HubOptions {
  /** Told of every event, to write it down. */
  keep?: (event: PublishedEvent) => void;
}

/** For `status`. */
export interface HubFigures {
  subscriptions: number;
  /** Events that wait for slow readers, and that slow readers have lost. */
  queued: number;
  dropped: number;
}

export class EventHub {
  readonly #rings = new Map<Topic, Ring<KeptEvent>>();
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #keep: HubOptions["keep"];
  readonly #ending = new AbortController();
  #subscriptionTotal = 0;
  /** Of subscriptions that have ended. */
  #droppedBefore = 0;

  constructor({ keep }: HubOptions = {}) {
    this.#keep = keep;
    for (const topic of TOPICS) {
      const capacity = LARGE_RINGS.has(topic) ? LARGE_RING_CAPACITY : RING_CAPACITY;
      this.#rings.set(topic, new Ring(capacity, { maxSize: MAX_CHARACTERS, sizeOf: lengthOf }));
    }
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  /** Aborted when there will be no more events. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** There will be no more: those who only wait for events need not be waited for. */
  close(): void {
    this.#ending.abort();
  }

  get figures(): HubFigures {
    const all = [...this.#subscriptions.values()];
    return {
      subscriptions: all.length,
      queued: all.reduce((sum, { queued }) => sum + queued, 0),
      dropped: all.reduce((sum, { dropped }) => sum + dropped, this.#droppedBefore),
    };
  }

  /**
   * Numbers and keeps the event, and hands it on. Never waits for a reader. `data` and `place` are not to be changed
   * afterwards; a `time` in the data is when it happened.
   */
  publish(topic: Topic, data: Reported, place: EventPlace = {}): void {
    const kept: KeptEvent = { time: data.time ?? timeNow(), place, data };
    const seq = this.#ring(topic).push(kept);
    const published = new PublishedEvent(recordOf(topic, seq, kept));
    this.#keep?.(published);
    for (const subscription of this.#subscriptions.values()) subscription.offer(published);
  }

  /**
   * Streams the topics to `subscriber`, first what is left since `since`; nothing is sent before `start`. Throws
   * `invalid_params`, and `rate_limited` for one who has too many.
   */
  subscribe(subscriber: Subscriber, params: SubscribeParams, options: FollowOptions = {}): SubscribeResult {
    const { owner, canSee, encode, newest = Number.POSITIVE_INFINITY, onOlder } = options;
    const topics = checkedTopics(params.topics);
    if (owner !== undefined) this.#assertFew(owner);
    const matches = matcher(params.filter ?? {}, canSee);
    const backlog = params.since === undefined ? [] : this.#backlog(topics, params.since, matches);
    if (backlog.length > newest) onOlder?.(backlog.length - newest);
    const subscription = new Subscription({
      id: `s${++this.#subscriptionTotal}`,
      subscriber,
      owner,
      topics: new Set(topics),
      matches,
      capacity: params.buffer ?? DEFAULT_BUFFER,
      backlog: backlog.length > newest ? backlog.slice(-newest) : backlog,
      ...(encode && { encode }),
    });
    this.#subscriptions.set(subscription.id, subscription);
    return { subscription: subscription.id, cursor: this.#cursor(topics) };
  }

  /** Begins the stream, once the reader has been told its id. */
  start(id: string): void {
    this.#subscriptions.get(id)?.start();
  }

  /** Ends a subscription of this subscriber; false when it has none of that id. */
  unsubscribe(subscriber: Subscriber, id: string): boolean {
    const subscription = this.#subscriptions.get(id);
    if (subscription?.subscriber !== subscriber) return false;
    subscription.end();
    this.#end(subscription);
    return true;
  }

  /** Ends all that this subscriber has. */
  drop(subscriber: Subscriber): void {
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.subscriber === subscriber) this.#end(subscription);
    }
  }

  /** What is still kept, in order of time, the newest `limit`. Throws `invalid_params`. */
  history(params: HistoryParams, canSee?: CanSee): HistoryResult {
    const topics = checkedTopics(params.topics);
    const matches = matcher(params.filter ?? {}, canSee);
    const events = this.#kept(topics, params.since ?? 0).filter(matches);
    return { events: events.slice(-(params.limit ?? DEFAULT_HISTORY)), cursor: this.#cursor(topics) };
  }

  #assertFew(owner: string): void {
    const own = [...this.#subscriptions.values()].filter((subscription) => subscription.owner === owner).length;
    if (own < MAX_SUBSCRIPTIONS) return;
    throw new BrowseError("rate_limited", `This token follows events ${own} times already, and may not once more`, {
      hint: "End some of them: `events.unsubscribe`",
    });
  }

  #end(subscription: Subscription): void {
    this.#droppedBefore += subscription.dropped;
    this.#subscriptions.delete(subscription.id);
  }

  #backlog(
    topics: readonly Topic[],
    since: number | Record<string, number>,
    matches: (event: EventRecord) => boolean,
  ): (EventRecord | EventGap)[] {
    const gaps = topics.flatMap((topic): EventGap[] => {
      const ring = this.#ring(topic);
      const from = startOf(ring, topic, since) + 1;
      return ring.first > from ? [{ topic, dropped: ring.first - from, from, to: ring.first - 1 }] : [];
    });
    return [...gaps, ...this.#kept(topics, since).filter(matches)];
  }

  #kept(topics: readonly Topic[], since: number | Record<string, number>): EventRecord[] {
    const events = topics.flatMap((topic) => {
      const ring = this.#ring(topic);
      return ring.since(startOf(ring, topic, since)).map(({ seq, value }) => recordOf(topic, seq, value));
    });
    // The sort is stable: events of one topic stay in the order of their `seq`.
    return topics.length === 1 ? events : events.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  }

  #cursor(topics: readonly Topic[]): Record<string, number> {
    return Object.fromEntries(topics.map((topic) => [topic, this.#ring(topic).total]));
  }

  #ring(topic: Topic): Ring<KeptEvent> {
    const ring = this.#rings.get(topic);
    if (!ring) throw new Error(`There is no topic "${topic}"`);
    return ring;
  }
}

function recordOf(topic: Topic, seq: number, { time, place, data }: KeptEvent): EventRecord {
  const { time: _, ...told } = data;
  return { seq, topic, time, ...(topic !== OF_OURS && { untrusted: true }), data: { ...place, ...told } };
}

/** Of the texts in it. */
function lengthOf({ data }: KeptEvent): number {
  let length = 0;
  for (const name in data) {
    const value = data[name];
    if (typeof value === "string") length += value.length;
  }
  return length;
}

/** A `since` beyond the newest event comes from another daemon's numbering: everything is new then. */
function startOf(ring: Ring<KeptEvent>, topic: Topic, since: number | Record<string, number>): number {
  const seq = typeof since === "number" ? since : Object.hasOwn(since, topic) ? (since[topic] ?? 0) : 0;
  return seq > ring.total ? 0 : seq;
}

function checkedTopics(names: readonly string[]): Topic[] {
  const known: readonly string[] = TOPICS;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined && names.length > 0) return [...new Set(names)] as Topic[];
  const problem =
    unknown === undefined ? "No topic is named" : `Unknown topic "${unknown}"${suggestion(unknown, known)}`;
  throw new BrowseError("invalid_params", problem, {
    hint: `Topics are ${TOPICS.join(", ")}`,
    details: { param: "topics", accepted: TOPICS },
  });
}

function matcher(filter: EventFilter, canSee: CanSee = () => true): (event: EventRecord) => boolean {
  const { url, status, ...exact } = filter;
  const wanted = Object.entries(exact);
  return (event) => {
    const { data } = event;
    if (wanted.some(([member, value]) => data[member] !== value)) return false;
    if (url !== undefined && !(typeof data.url === "string" && matchesGlob(url, data.url))) return false;
    if (status !== undefined && !(typeof data.status === "number" && data.status >= status)) return false;
    return canSee(event);
  };
}
