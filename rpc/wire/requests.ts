/** From the text that a client sent to the text of the answer: guarded, in order where order matters, resent once only. */

import { BatchOrder, placeOfWork, type Work } from "../../commands/batch_order.ts";
import { findCommand } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import type { Subscriber } from "../events/subscription.ts";
import type { Caller } from "../gate/call.ts";
import type { ToldHosts } from "../gate/told_hosts.ts";
import { failure } from "../methods/response.ts";
import type { RequestId, RpcRequest } from "../protocol.ts";
import { type AcceptedCalls, type CallPeer, ReusedIdError, type RunningCall } from "./accepted_calls.ts";
import { type GuardedItem, guardMessage, refuseReusedId } from "./envelope.ts";

/** Calls of one connection that may run or wait at a time. */
const MAX_OPEN_CALLS = 20_000;
/** Of a skill: its tabs do one thing at a time, and as many may wait for their turn at its rate. */
const MAX_OPEN_OF_SKILL = 50;

/** The other end of a connection, or of one HTTP exchange. */
export interface Peer extends CallPeer {
  /** Names the client process across its connections. */
  readonly clientKey: string;
  /** What `session.hello` may change. */
  caller: Caller;
  session: string | undefined;
  /** Of one that asked for advice: what it was told. */
  told?: ToldHosts;
  /** Takes events; absent where none can be sent. */
  readonly subscriber?: Subscriber;
  /** Told of notifications that are not about a call; they are ignored when absent. */
  readonly hear?: ((method: string, params: Record<string, unknown>) => void) | undefined;
}

/** Answers one request; the JSON of its response. Never rejects. */
export type AnswerRequest = (peer: Peer, call: RunningCall, request: RpcRequest) => Promise<string>;

/** The tab that a caller's call means where it names none; undefined when that is yet to be opened. */
export type CallersTab = (caller: Caller, session: string | undefined) => string | undefined;

export interface RequestPorts {
  calls: AcceptedCalls;
  answer: AnswerRequest;
  currentTab: CallersTab;
}

export class Requests {
  readonly #peer: Peer;
  readonly #ports: RequestPorts;
  #openCalls = 0;

  constructor(peer: Peer, ports: RequestPorts) {
    this.#peer = peer;
    this.#ports = ports;
  }

  get openCalls(): number {
    return this.#openCalls;
  }

  /** The answer's JSON; undefined when the message holds notifications only. Never rejects. */
  answer(text: string): Promise<string> | undefined {
    const message = guardMessage(text);
    return message.batch ? this.#answerBatch(message.items) : this.#answerItem(message.item);
  }

  /** In order on one tab, the tabs beside one another, and always as an array. */
  #answerBatch(items: readonly GuardedItem[]): Promise<string> | undefined {
    const { caller, session: own } = this.#peer;
    const lanes = new BatchOrder((session) => this.#ports.currentTab(caller, session ?? own));
    const answers = items.flatMap((item) => {
      const work = item.request && workOf(item.request);
      const answer = this.#answerItem(item, work && lanes.ahead(work));
      if (answer && work) lanes.add(work, answer);
      return answer ?? [];
    });
    return answers.length > 0 ? Promise.all(answers).then((texts) => `[${texts.join(",")}]`) : undefined;
  }

  /** `after` is what must have ended before. */
  #answerItem(item: GuardedItem, after?: Promise<unknown>): Promise<string> | undefined {
    const { request } = item;
    if (!request) return Promise.resolve(JSON.stringify(item.refusal));
    const { id } = request;
    if (id === undefined) {
      this.#hear(request);
      return undefined;
    }
    const most = this.#peer.caller.token.kind === "skill" ? MAX_OPEN_OF_SKILL : MAX_OPEN_CALLS;
    if (this.#openCalls >= most) return Promise.resolve(failure(id, tooManyCalls(most)));
    return this.#answerCall({ ...request, id }, after);
  }

  async #answerCall(request: RpcRequest & { id: RequestId }, after?: Promise<unknown>): Promise<string> {
    const peer = this.#peer;
    this.#openCalls++;
    try {
      return await this.#ports.calls.run(peer.clientKey, request, peer, async (call) => {
        await after;
        return await this.#ports.answer(peer, call, request);
      });
    } catch (error) {
      if (error instanceof ReusedIdError) return JSON.stringify(refuseReusedId(request.id));
      throw error;
    } finally {
      this.#openCalls--;
    }
  }

  /** Of notifications about calls, only a cancellation and what a person typed mean anything. */
  #hear({ method, params = {} }: RpcRequest): void {
    const { id, text } = params;
    this.#peer.hear?.(method, params);
    if (typeof id !== "string" && typeof id !== "number") return;
    const { clientKey } = this.#peer;
    if (method === "call.cancel") this.#ports.calls.cancel(clientKey, id);
    if (method === "call.reply") this.#ports.calls.reply(clientKey, id, typeof text === "string" ? text : undefined);
  }
}

function workOf({ method, params }: RpcRequest): Work {
  const { tab, session } = params ?? {};
  return {
    on: placeOfWork(findCommand(method)),
    tab: typeof tab === "string" ? tab : undefined,
    session: typeof session === "string" ? session : undefined,
  };
}

function tooManyCalls(most: number): BrowseError {
  return new BrowseError("rate_limited", `More than ${most} calls of this connection are unanswered`, {
    hint: "Wait for answers before sending more",
  });
}
