/** One WebSocket, or channel to a skill: frames in, answers and notifications out. Outlives nothing; what must is in `AcceptedCalls`. */
import type { Duplex } from "node:stream";
import type { Subscriber } from "../events/subscription.ts";
import type { Caller } from "../gate/call.ts";
import type { ToldHosts } from "../gate/told_hosts.ts";
import { wellFormedJson } from "../line/terminal.ts";
import type { NotificationMethod, Notifications } from "../protocol.ts";
import { refuseBinary } from "./envelope.ts";
import { Paced } from "./paced.ts";
import { type Peer, type RequestPorts, Requests } from "./requests.ts";

/** A reader who leaves more than this unread is dropped, so that it cannot grow the daemon. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

/** Calls that need nothing but the daemon are answered in the turn in which they came. */
const FRAMES_PER_TURN = 32;

/** States of a WebSocket, by the standard's numbers. */
const OPEN = 1;
const CLOSED = 3;

/** What a connection needs of a WebSocket, or of what stands for one. */
export interface FrameSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  pause(): void;
  resume(): void;
  send(frame: string, onSent: (error?: Error | null) => void): void;
  close(code?: number): void;
  terminate(): void;
}

export interface ConnectionOptions extends RequestPorts {
  socket: FrameSocket;
  /** The stream below the socket. */
  stream: Pick<Duplex, "cork" | "uncork">;
  caller: Caller;
  /** Names the client process across its connections. */
  clientKey: string;
  /** The session of its calls until `session.hello` names another. */
  session?: string;
  /** Told of notifications that are not about a call. */
  hear?: Peer["hear"];
  onClosed: (connection: Connection) => void;
  log: (level: "debug" | "warning", message: string, cause?: unknown) => void;
}

export class Connection implements Peer, Subscriber {
  readonly #options: ConnectionOptions;
  readonly #requests: Requests;
  readonly #takenCallbacks = new Set<() => void>();
  readonly #quietCallbacks = new Set<() => void>();
  #unsentFrames = 0;
  #isCorked = false;
  #isDeaf = false;
  /** What `session.hello` may change. */
  caller: Caller;
  session: string | undefined;
  told?: ToldHosts;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.caller = options.caller;
    this.session = options.session;
    this.#requests = new Requests(this, options);
    const { socket } = options;
    const frames = new Paced<Buffer | undefined>({
      perTurn: FRAMES_PER_TURN,
      take: (text) => this.#receive(text),
      onBehind: (isBehind) => (isBehind ? socket.pause() : socket.resume()),
    });
    socket.on("message", (data: Buffer, isBinary: boolean) => frames.push(isBinary ? undefined : data));
    socket.on("error", (error) => options.log("debug", "A client broke the WebSocket protocol", error));
    socket.on("close", () => this.#closed());
  }

  get clientKey(): string {
    return this.#options.clientKey;
  }

  get subscriber(): Subscriber {
    return this;
  }

  get hear(): Peer["hear"] {
    return this.#options.hear;
  }

  get bufferedBytes(): number {
    return this.#options.socket.bufferedAmount;
  }

  notify<Method extends NotificationMethod>(method: Method, params: Notifications[Method]): Promise<void> {
    const frame = wellFormedJson({ jsonrpc: "2.0", method, params });
    return new Promise((resolve, reject) => this.#send(frame, (error) => (error ? reject(error) : resolve())));
  }

  sendEvent(frame: string): void {
    this.#send(frame);
  }

  onceTaken(callback: () => void): void {
    this.#takenCallbacks.add(callback);
  }

  /** Resolves when no call is open and every answer is with the system, or the connection is gone. */
  quiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#quietCallbacks.add(resolve);
      this.#settle();
    });
  }

  /** Resolves when the socket is closed. */
  gone(): Promise<void> {
    const { socket } = this.#options;
    return new Promise((resolve) => {
      if (socket.readyState === CLOSED) resolve();
      else socket.once("close", () => resolve());
    });
  }

  /** Hears no more requests. */
  deafen(): void {
    this.#isDeaf = true;
  }

  /** Says goodbye; the client may still read what was sent. */
  close(): void {
    this.#options.socket.close(1001);
  }

  /** Undefined: it was no text. */
  #receive(data: Buffer | undefined): void {
    if (this.#isDeaf) return;
    if (!data) {
      this.#send(JSON.stringify(refuseBinary()));
      return;
    }
    void this.#requests.answer(data.toString("utf8"))?.then((answer) => this.#send(answer));
  }

  #send(frame: string, onSent?: (error?: Error | null) => void): void {
    const { socket, log } = this.#options;
    if (socket.readyState === OPEN && socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      log("warning", `Dropped a connection that left ${socket.bufferedAmount} bytes unread`);
      socket.terminate();
    }
    if (socket.readyState !== OPEN) {
      onSent?.(new Error("The connection is closed"));
      return;
    }
    this.#corkForThisTick();
    this.#unsentFrames++;
    socket.send(frame, (error) => {
      this.#unsentFrames--;
      onSent?.(error);
      this.#taken();
    });
  }

  /** Frames of one tick leave in one system call. */
  #corkForThisTick(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#options.stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#options.stream.uncork();
    });
  }

  #taken(): void {
    if (this.#takenCallbacks.size > 0) {
      const callbacks = [...this.#takenCallbacks];
      this.#takenCallbacks.clear();
      for (const callback of callbacks) callback();
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#quietCallbacks.size === 0) return;
    const isGone = this.#options.socket.readyState !== OPEN;
    if (!isGone && (this.#requests.openCalls > 0 || this.#unsentFrames > 0)) return;
    for (const callback of this.#quietCallbacks) callback();
    this.#quietCallbacks.clear();
  }

  #closed(): void {
    this.deafen();
    this.#options.calls.release(this);
    this.#takenCallbacks.clear();
    this.#settle();
    this.#options.onClosed(this);
  }
}
