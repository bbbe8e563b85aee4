/** A subscriber in a thread of its own, as a client is in a process of its own: what it reads costs the bench nothing. */
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { WebSocket } from "ws";

export interface ReaderOptions {
  daemon: { port: number; token: string };
  filter?: Record<string, string>;
  /** Stops reading for so long after the first event. */
  stallMs?: number;
}

/** What a reader has seen of a topic. */
export interface Reading {
  events: number;
  /** Lost, as gaps have told. */
  dropped: number;
  /** Numbers that were neither seen nor told as lost. */
  missing: number;
  /** Newest number seen or told. */
  last: number;
  /** Milliseconds from when an event was published to when it was read: the worst of a hundred. */
  p99Ms: number;
}

export class EventReader implements AsyncDisposable {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Follows `console` from now on. */
  static async open(options: ReaderOptions): Promise<EventReader> {
    const worker = new Worker(new URL(import.meta.url), { workerData: options });
    await nextMessage(worker);
    return new EventReader(worker);
  }

  /** Resolves when it has read, or been told of, everything up to `seq`. */
  async upTo(seq: number): Promise<Reading> {
    this.#worker.postMessage(seq);
    return (await nextMessage(this.#worker)) as Reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

async function nextMessage(worker: Worker): Promise<unknown> {
  return await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

interface Notification {
  id?: number;
  method?: string;
  params?: { seq?: number; time?: string; dropped?: number; from?: number; to?: number };
}

class Follower {
  readonly #socket: WebSocket;
  readonly #delays: number[] = [];
  readonly #reading = { events: 0, dropped: 0, missing: 0, last: 0 };
  readonly #isFiltered: boolean;
  #stallMs: number;
  #wanted: number | undefined;

  constructor({ daemon, filter, stallMs = 0 }: ReaderOptions, onReady: () => void) {
    this.#isFiltered = filter !== undefined;
    this.#stallMs = stallMs;
    const headers = { authorization: `Bearer ${daemon.token}` };
    this.#socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/rpc`, { headers, perMessageDeflate: false });
    const params = { topics: ["console"], ...(filter && { filter }) };
    this.#socket.on("close", () => {
      throw new Error("The daemon closed the reader's connection");
    });
    this.#socket.on("open", () =>
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "events.subscribe", params })),
    );
    this.#socket.on("message", (data: Buffer) => {
      const message: Notification | Notification[] = JSON.parse(data.toString());
      for (const one of [message].flat()) {
        if (one.id === 1) onReady();
        else this.#take(one);
      }
      this.#tell();
    });
  }

  want(seq: number): void {
    this.#wanted = seq;
    this.#tell();
  }

  #take({ method, params = {} }: Notification): void {
    const { seq = 0, time, dropped = 0, from = 0, to = 0 } = params;
    const reading = this.#reading;
    const first = method === "gap" ? from : seq;
    if (reading.last > 0 && !this.#isFiltered) reading.missing += first - reading.last - 1;
    reading.last = method === "gap" ? to : seq;
    if (method === "gap") reading.dropped += dropped;
    else {
      reading.events++;
      if (time) this.#delays.push(Date.now() - Date.parse(time));
      if (this.#stallMs > 0) void this.#stall();
    }
  }

  async #stall(): Promise<void> {
    const ms = this.#stallMs;
    this.#stallMs = 0;
    this.#socket.pause();
    await pause(ms);
    this.#socket.resume();
  }

  #tell(): void {
    if (this.#wanted === undefined || this.#reading.last < this.#wanted) return;
    this.#wanted = undefined;
    const sorted = this.#delays.toSorted((a, b) => a - b);
    parentPort?.postMessage({ ...this.#reading, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 });
  }
}

if (parentPort) {
  const follower = new Follower(workerData as ReaderOptions, () => parentPort?.postMessage("ready"));
  parentPort.on("message", (seq: number) => follower.want(seq));
}
