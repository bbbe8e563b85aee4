/** A plain WebSocket to a daemon, as a long-lived client holds one. */
import { WebSocket } from "ws";

interface Response {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

export interface Call {
  method: string;
  params?: Record<string, unknown>;
}

export class OpenConnection implements Disposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  #lastId = 0;
  /** Of the largest message that has come. */
  largestBytes = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#receive(data));
    socket.on("close", () => this.#lose(new Error("The daemon closed the connection")));
    socket.on("error", (error) => this.#lose(error));
  }

  static async open({ port, token }: { port: number; token: string }): Promise<OpenConnection> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers, perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new OpenConnection(socket);
  }

  async call(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { request, answer } = this.#prepare({ method, params });
    this.#socket.send(JSON.stringify(request));
    return await answer;
  }

  /** All in one message. */
  async batch(calls: readonly Call[]): Promise<Record<string, unknown>[]> {
    const prepared = calls.map((call) => this.#prepare(call));
    this.#socket.send(JSON.stringify(prepared.map(({ request }) => request)));
    return await Promise.all(prepared.map(({ answer }) => answer));
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #prepare({ method, params = {} }: Call) {
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, waiting);
    return { request: { jsonrpc: "2.0", id, method, params }, answer: waiting.promise };
  }

  #receive(data: Buffer): void {
    this.largestBytes = Math.max(this.largestBytes, data.length);
    const message: Response | Response[] = JSON.parse(data.toString("utf8"));
    for (const { id, result, error } of Array.isArray(message) ? message : [message]) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result ?? {});
    }
  }

  #lose(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
