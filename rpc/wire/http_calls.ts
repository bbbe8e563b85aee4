/** JSON-RPC by `POST`, for clients that have no WebSocket: the same guard, the same dispatch, one exchange at a time. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../gate/call.ts";
import type { Admitted } from "./authenticate.ts";
import { answerStatus, answerText, readBody } from "./http_answer.ts";
import { type Peer, type RequestPorts, Requests } from "./requests.ts";

/** Of a request; answers may be larger. Remote agents send no files, so nothing honest comes near. */
const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpCallsOptions extends RequestPorts {
  caller: (admitted: Admitted) => Caller;
  clientKey: (admitted: Admitted) => string;
  /** An answer of which nothing has been taken for so long is dropped. */
  patienceMs: number;
}

export class HttpCalls {
  readonly #options: HttpCallsOptions;
  readonly #running = new Set<Promise<unknown>>();
  /** Those whose calls run. */
  readonly peers = new Set<Peer>();

  constructor(options: HttpCallsOptions) {
    this.#options = options;
  }

  /** Resolves when the exchanges that are under way have their answers. */
  async quiet(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Answers one request of an admitted caller. Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse, admitted: Admitted): Promise<void> {
    const gone = new Promise((resolve) => response.once("close", resolve));
    this.#running.add(gone);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (typeof body === "number") answerStatus(response, body);
    else await this.#answerBody(body, response, admitted, gone);
    await gone;
    this.#running.delete(gone);
  }

  async #answerBody(body: string, response: ServerResponse, admitted: Admitted, gone: Promise<unknown>): Promise<void> {
    const { calls, caller, clientKey, patienceMs } = this.#options;
    const peer: Peer = {
      caller: caller(admitted),
      clientKey: clientKey(admitted),
      session: undefined,
      // There is nowhere to send it to but the answer; who is gone must still be known to be.
      notify: async () => {
        if (response.destroyed) throw new Error("The client is gone");
      },
    };
    this.peers.add(peer);
    void gone.then(() => {
      this.peers.delete(peer);
      calls.release(peer);
    });
    const text = await new Requests(peer, this.#options).answer(body);
    response.setTimeout(patienceMs, () => response.destroy());
    if (text === undefined) response.writeHead(204).end();
    else answerText(response, "application/json", `${text}\n`);
  }
}
