import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface Request {
  id?: string;
  method: string;
  params: Record<string, unknown>;
}

/** A daemon that answers as a test says. */
export class FakeDaemon implements AsyncDisposable {
  readonly requests: Request[] = [];
  readonly protocols: string[] = [];
  readonly token: string;
  readonly #server: WebSocketServer;
  /** Answers a request that is not `session.hello`; what it returns is the result. */
  answer: (request: Request, socket: WebSocket) => unknown = () => ({});

  private constructor(server: WebSocketServer, token: string) {
    this.#server = server;
    this.token = token;
    server.on("connection", (socket, { headers }) => {
      this.protocols.push(headers["sec-websocket-protocol"] ?? "");
      socket.on("message", (text) => this.#take(socket, JSON.parse(String(text))));
    });
  }

  static async listen(token = "one"): Promise<FakeDaemon> {
    const handleProtocols = () => "browse.v1";
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/rpc", handleProtocols });
    await once(server, "listening");
    return new FakeDaemon(server, token);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/rpc`;
  }

  sent(method: string): Request[] {
    return this.requests.filter((request) => request.method === method);
  }

  dropAll(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  #take(socket: WebSocket, message: Request | Request[]): void {
    const requests = [message].flat();
    this.requests.push(...requests);
    const answers = requests.map((request) => this.#answerTo(request, socket)).filter((one) => one !== undefined);
    if (Array.isArray(message)) socket.send(JSON.stringify(answers));
    else for (const answer of answers) socket.send(JSON.stringify(answer));
  }

  #answerTo(request: Request, socket: WebSocket): object | undefined {
    const hello = { protocol: "1.0.0", version: "0.1.0", session: "default", scopes: [], topics: [] };
    const result = request.method === "session.hello" ? hello : this.answer(request, socket);
    if (result === undefined || request.id === undefined) return undefined;
    return { jsonrpc: "2.0", id: request.id, ...(result instanceof Error ? { error: result.cause } : { result }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dropAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function notify(socket: WebSocket, method: string, params: object): void {
  socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
}
