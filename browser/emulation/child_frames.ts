/**
 * Frames in processes of their own, told what to pretend before they load anything. The driver tells them only what
 * its contexts were made with, so we attach to them ourselves, and let them go on when they have been told.
 *
 * The driver's sessions cannot speak for a session inside them, so the messages go through the page's own session:
 * `Target.sendMessageToTarget`, which CDP keeps for that.
 */
import type { CDPSession } from "playwright";
import type { CdpCommand } from "./emulation.ts";

interface AttachedToTarget {
  sessionId: string;
  waitingForDebugger?: boolean;
}

interface MessageFromTarget {
  sessionId: string;
  message: string;
}

export type Send = (method: string, params: Record<string, unknown>) => Promise<unknown>;
type OnEvent = (method: string, event: unknown, send: Send) => void;

/** Workers have what their page's process has; tabs are the session's. */
const ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false, filter: [{ type: "iframe" }] };
const LET_BE = { autoAttach: false, waitForDebuggerOnStart: false, flatten: false };

const known = new WeakMap<CDPSession, ChildFrames>();

/** The frames below the page of this session. */
export function childFramesOf(cdp: CDPSession): ChildFrames {
  let frames = known.get(cdp);
  if (!frames) {
    frames = new ChildFrames((method, params) => cdp.send(method as "Target.setAutoAttach", params as never));
    const { hear } = frames;
    cdp.on("Target.attachedToTarget", (event) => hear("Target.attachedToTarget", event));
    cdp.on("Target.detachedFromTarget", (event) => hear("Target.detachedFromTarget", event));
    cdp.on("Target.receivedMessageFromTarget", (event) => hear("Target.receivedMessageFromTarget", event));
    known.set(cdp, frames);
  }
  return frames;
}

export class ChildFrames {
  readonly #send: Send;
  /** Told of every event of a frame below, with a way to answer to where it came from. */
  onEvent: OnEvent | undefined;
  readonly #children = new Map<string, Child>();
  /** Settle when a frame that has come has been told. Never reject. */
  readonly #telling = new Set<Promise<void>>();
  #setup: readonly CdpCommand[] = [];
  #isAttaching = false;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Sends `changes` to the frames there are, and `setup` to those that come. An empty setup lets all of them be. */
  async tell(changes: readonly CdpCommand[], setup: readonly CdpCommand[]): Promise<void> {
    this.#setup = setup;
    await Promise.all([...this.#children.values()].map((child) => child.tell(changes, setup)));
    const isWanted = setup.length > 0;
    if (isWanted === this.#isAttaching) return;
    this.#isAttaching = isWanted;
    await this.#send("Target.setAutoAttach", isWanted ? ATTACH : LET_BE);
    // Those that were there have been found by now.
    await Promise.all(this.#telling);
  }

  /** A session with a target that is there already, such as a tab that another has opened. */
  async attach(targetId: string): Promise<Child> {
    const { sessionId } = (await this.#send("Target.attachToTarget", { targetId, flatten: false })) as AttachedToTarget;
    const child = this.#children.get(sessionId);
    if (!child) throw new Error("The target has left");
    return child;
  }

  readonly hear = (method: string, event: unknown): void => {
    if (method === "Target.attachedToTarget") {
      const telling = this.#attached(event as AttachedToTarget).finally(() => this.#telling.delete(telling));
      this.#telling.add(telling);
    }
    if (method === "Target.detachedFromTarget") this.#detached(event as AttachedToTarget);
    if (method === "Target.receivedMessageFromTarget") {
      const { sessionId, message } = event as MessageFromTarget;
      this.#children.get(sessionId)?.receive(message);
    }
  };

  #detached({ sessionId }: AttachedToTarget): void {
    this.#children.get(sessionId)?.close();
    this.#children.delete(sessionId);
  }

  async #attached({ sessionId, waitingForDebugger }: AttachedToTarget): Promise<void> {
    const child = new Child({
      post: (message) => this.#send("Target.sendMessageToTarget", { sessionId, message }),
      detach: () => this.#send("Target.detachFromTarget", { sessionId }),
    });
    child.onEvent = (method, event, send) => this.onEvent?.(method, event, send);
    this.#children.set(sessionId, child);
    await child.tell(this.#setup, this.#setup);
    if (waitingForDebugger) await child.send("Runtime.runIfWaitingForDebugger", {}).catch(hasLeft);
  }
}

interface ChildOptions {
  post: (message: string) => Promise<unknown>;
  detach: () => Promise<unknown>;
}

/** One frame, and those below it. */
export class Child {
  /** Told of every event of it, and of the frames below. */
  onEvent: OnEvent | undefined;
  readonly #options: ChildOptions;
  readonly #frames: ChildFrames;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#frames = new ChildFrames((method, params) => this.send(method, params));
    this.#frames.onEvent = (method, event, send) => this.onEvent?.(method, event, send);
  }

  async tell(changes: readonly CdpCommand[], setup: readonly CdpCommand[]): Promise<void> {
    await Promise.all([
      ...changes.map(([method, params]) => this.send(method, params).catch(hasLeft)),
      this.#frames.tell(changes, setup).catch(hasLeft),
    ]);
  }

  async send(method: string, params: Record<string, unknown>): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    // It may leave before the message is on its way, when nobody waits for the answer yet.
    answer.promise.catch(hasLeft);
    this.#pending.set(id, answer);
    try {
      await this.#options.post(JSON.stringify({ id, method, params }));
    } catch (error) {
      answer.reject(error);
    }
    return await answer.promise.finally(() => this.#pending.delete(id));
  }

  /** Nothing of what was set on it holds any more. */
  async detach(): Promise<void> {
    await this.#options.detach().catch(hasLeft);
  }

  /** Nothing more will be answered. */
  close(): void {
    for (const answer of this.#pending.values()) answer.reject(new Error("The frame has left"));
  }

  receive(message: string): void {
    const { id, method, params, result, error } = JSON.parse(message) as {
      id?: number;
      method?: string;
      params?: unknown;
      result?: unknown;
      error?: { message: string };
    };
    if (method !== undefined) {
      this.#frames.hear(method, params);
      this.onEvent?.(method, params, (name, given) => this.send(name, given));
    } else if (error) this.#pending.get(id ?? 0)?.reject(new Error(error.message));
    else this.#pending.get(id ?? 0)?.resolve(result);
  }
}

/** A frame may go while it is spoken to, and a process has its locale and time zone once for all frames in it. */
function hasLeft(): undefined {
  return undefined;
}
