/**
 * Resend, exactly enough: the calls that run, and the answers of those that had an effect. A client that lost its
 * connection asks again with the same id, and gets the running or the stored answer; no action runs twice.
 */
import { createHash } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import type { NotificationMethod, Notifications, RequestId, RpcRequest } from "../protocol.ts";

/** How many answers are kept, and how many bytes of them, for clients that come back. */
const MAX_ANSWERS = 1_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** A client that lost its connection has another one by then. */
const RETURN_MS = 3_000;

/** Where a call's notifications go: the connection that asked last. */
export interface CallPeer {
  /** Resolves once the socket has taken the message; rejects when it cannot any more. */
  notify<Method extends NotificationMethod>(method: Method, params: Notifications[Method]): Promise<void>;
}

/** One call that runs. */
export class RunningCall {
  readonly id: RequestId;
  readonly #request: RpcRequest;
  readonly #controller = new AbortController();
  #reply: PromiseWithResolvers<string | undefined> | undefined;
  /** What the client has yet to answer. */
  #question: string | undefined;
  peer: CallPeer | undefined;
  /** Was the client told that its effect may have begun? */
  accepted = false;
  /** It is of no use to anybody but its caller, and ends soon after that has gone. */
  endsWithCaller = false;
  /** The response, as JSON. Never rejects. */
  answer: Promise<string> = Promise.resolve("");

  constructor(id: RequestId, request: RpcRequest, peer: CallPeer) {
    this.id = id;
    this.#request = request;
    this.peer = peer;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(message: string): void {
    this.#controller.abort(new BrowseError("cancelled", message));
  }

  /** Tells the client that the effect may begin. Rejects, so that it does not, when the client cannot be told. */
  async accept(): Promise<void> {
    while (!this.accepted) {
      this.signal.throwIfAborted();
      const peer = this.peer;
      const told = await peer?.notify("accepted", { id: this.id }).then(
        () => true,
        () => false,
      );
      this.signal.throwIfAborted();
      if (!told && this.peer === peer) {
        throw new BrowseError("cancelled", "The client disconnected before the call began");
      }
      // A client that reconnected meanwhile is told on its new connection as well.
      this.accepted = this.peer === peer;
    }
  }

  /** Asks the person at the client's terminal; undefined when there is none. Rejects when the call is aborted. */
  async ask(question: string): Promise<string | undefined> {
    this.#reply = Promise.withResolvers();
    this.#question = question;
    const { promise, reject } = this.#reply;
    const onAbort = () => reject(this.signal.reason);
    this.signal.addEventListener("abort", onAbort, { once: true });
    try {
      await this.peer?.notify("ask", { id: this.id, question });
      return await promise;
    } finally {
      this.signal.removeEventListener("abort", onAbort);
      this.#reply = undefined;
      this.#question = undefined;
    }
  }

  /** The client is back, on another connection: it is told there what it has to know, and asked what it was asked. */
  resume(peer: CallPeer): void {
    this.peer = peer;
    if (this.accepted) peer.notify("accepted", { id: this.id }).catch(() => undefined);
    if (this.#question === undefined) return;
    peer.notify("ask", { id: this.id, question: this.#question }).catch(() => undefined);
  }

  reply(text: string | undefined): void {
    this.#reply?.resolve(text);
  }

  /** A notification about this call. A reader that is gone misses it, as it would have missed what came before. */
  tell<Method extends "log" | "progress" | "output">(method: Method, params: Omit<Notifications[Method], "id">): void {
    const message = { id: this.id, ...params } as Notifications[Method];
    this.peer?.notify(method, message).catch(() => undefined);
  }

  digest(): string {
    return digestOf(this.#request);
  }
}

interface StoredAnswer {
  digest: string;
  answer: string;
}

/** Thrown when an id is asked for again with another method or other params. */
export class ReusedIdError extends Error {}

export class AcceptedCalls {
  readonly #running = new Map<string, RunningCall>();
  /** In the order in which they finished. */
  readonly #answers = new Map<string, StoredAnswer>();
  #answerBytes = 0;
  readonly #returnMs: number;

  /** `returnMs` is how long a caller that is gone may take to come back to what ends with it. */
  constructor({ returnMs = RETURN_MS }: { returnMs?: number } = {}) {
    this.#returnMs = returnMs;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** The answer to this request: of the call that runs or ran under its id, else of `work`. Throws ReusedIdError. */
  run(
    client: string,
    request: RpcRequest & { id: RequestId },
    peer: CallPeer,
    work: (call: RunningCall) => Promise<string>,
  ): Promise<string> {
    const key = keyOf(client, request.id);
    const running = this.#running.get(key);
    if (running) return join(running, request, peer);
    const stored = this.#answers.get(key);
    if (stored) return Promise.resolve(answerFor(stored, request));
    const call = new RunningCall(request.id, request, peer);
    this.#running.set(key, call);
    call.answer = work(call).then((answer) => {
      this.#finish(key, call, answer);
      return answer;
    });
    return call.answer;
  }

  /** Aborts the running call of that id; false when there is none. */
  cancel(client: string, id: RequestId): boolean {
    const call = this.#running.get(keyOf(client, id));
    call?.abort("The call was cancelled by its caller");
    return call !== undefined;
  }

  /** What was typed at the client's terminal, for the running call of that id. */
  reply(client: string, id: RequestId, text: string | undefined): void {
    this.#running.get(keyOf(client, id))?.reply(text);
  }

  /**
   * The peer is gone: what has begun goes on without it, but for what ends with its caller, and the rest is stopped, as it may be
   * asked for anew.
   */
  release(peer: CallPeer): void {
    for (const [key, call] of this.#running) {
      if (call.peer !== peer) continue;
      call.peer = undefined;
      if (call.accepted) {
        if (call.endsWithCaller) this.#endUnlessBack(call);
        continue;
      }
      this.#running.delete(key);
      call.abort("The caller went away");
    }
  }

  /** Aborts what runs for this peer, begun or not. */
  abort(peer: CallPeer, message: string): void {
    for (const call of this.#running.values()) if (call.peer === peer) call.abort(message);
  }

  abortAll(message: string): void {
    for (const call of this.#running.values()) call.abort(message);
  }

  /** Whoever asks again has the answer that it was ended with: it is not begun anew. */
  #endUnlessBack(call: RunningCall): void {
    setTimeout(() => {
      if (call.peer === undefined) call.abort("The caller went away, and what it ran was ended");
    }, this.#returnMs).unref();
  }

  #finish(key: string, call: RunningCall, answer: string): void {
    // After a release, the key may belong to a newer call.
    if (this.#running.get(key) === call) this.#running.delete(key);
    if (!call.accepted) return;
    const kept = Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? tooLargeToKeep(call.id) : answer;
    this.#answers.set(key, { digest: call.digest(), answer: kept });
    this.#answerBytes += Buffer.byteLength(kept);
    for (const [oldest, { answer: dropped }] of this.#answers) {
      if (this.#answers.size <= MAX_ANSWERS && this.#answerBytes <= MAX_ANSWER_BYTES) break;
      this.#answers.delete(oldest);
      this.#answerBytes -= Buffer.byteLength(dropped);
    }
  }
}

function join(call: RunningCall, request: RpcRequest, peer: CallPeer): Promise<string> {
  if (call.digest() !== digestOf(request)) throw new ReusedIdError();
  call.resume(peer);
  return call.answer;
}

function answerFor(stored: StoredAnswer, request: RpcRequest): string {
  if (stored.digest !== digestOf(request)) throw new ReusedIdError();
  return stored.answer;
}

function tooLargeToKeep(id: RequestId): string {
  const error = new BrowseError("too_large", "The call ran, but its answer was too large to be kept for a resend", {
    hint: "Look at the page to see what it did, and do not repeat it blindly",
  });
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

function digestOf({ method, params }: RpcRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([method, params]))
    .digest("base64");
}

/** `1` and `"1"` are different ids. */
function keyOf(client: string, id: RequestId): string {
  return `${client} ${JSON.stringify(id)}`;
}
