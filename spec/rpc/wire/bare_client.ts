/** A client that knows JSON-RPC and nothing else. */
import { once } from "node:events";
import WebSocket from "ws";

type Message = Record<string, never> & {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: Record<string, unknown> };
};

export class BareClient {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly #watchers = new Set<() => void>();
  #lastId = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("error", () => {});
    socket.on("message", (data: Buffer) => {
      const message: Message | Message[] = JSON.parse(data.toString());
      // Notifications that came together; a batch of answers is one message.
      if (Array.isArray(message) && message[0]?.method) this.messages.push(...message);
      else this.messages.push(message as Message);
      for (const watcher of this.#watchers) watcher();
    });
    socket.on("close", () => {
      for (const watcher of this.#watchers) watcher();
    });
  }

  async opened(): Promise<void> {
    if (this.socket.readyState !== WebSocket.OPEN) await once(this.socket, "open");
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The first message so far or to come that satisfies `isWanted`, taken off the list. */
  async next(isWanted: (message: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      const index = this.messages.findIndex(isWanted);
      if (index >= 0) return this.messages.splice(index, 1)[0]!;
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error("The connection closed");
      await new Promise<void>((resolve) => {
        const watcher = () => {
          this.#watchers.delete(watcher);
          resolve();
        };
        this.#watchers.add(watcher);
      });
    }
  }

  /** Sends and waits for the answer. */
  async call(method: string, params?: object, id: string | number = ++this.#lastId): Promise<Message> {
    this.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return await this.answer(id);
  }

  async answer(id: string | number | null): Promise<Message> {
    return await this.next((message) => message.id === id && message.method === undefined);
  }

  async notification(method: string): Promise<Record<string, unknown>> {
    return (await this.next((message) => message.method === method)).params!;
  }

  async closed(): Promise<number> {
    if (this.socket.readyState === WebSocket.CLOSED) return 1006;
    const [code] = await once(this.socket, "close");
    return code as number;
  }
}
