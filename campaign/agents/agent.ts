/** Somebody with nothing but a token of their own, and everything that was ever said to them. */
import WebSocket from "ws";

/** A call of an agent that has not been answered then never is. */
const PATIENCE_MS = 20_000;
const MAX_TRANSCRIPT = 50_000_000;

export interface Answer {
  result?: Record<string, unknown>;
  error?: { message: string; data: { kind: string } };
}

export class Agent implements Disposable {
  /** All that came: answers, notifications, events. */
  transcript = "";
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#take(data.toString()));
    socket.on("close", () => this.#lose("closed"));
    socket.on("error", (error) => this.#lose(error.message));
  }

  /** @param origin Where the key is to be used: the local door, or the tunnel's. */
  static async pair(origin: string, key: string): Promise<Agent> {
    const response = await fetch(`${origin}/pair`, { method: "POST", headers: { accept: "text/plain" }, body: key });
    if (!response.ok) throw new Error(`The key was refused: ${response.status}`);
    return await Agent.connect(origin, (await response.text()).trim());
  }

  static async connect(origin: string, token: string): Promise<Agent> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${origin.replace("http", "ws")}/rpc`, { headers, perMessageDeflate: false });
    const agent = new Agent(socket);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("open", resolve).once("close", resolve);
    await promise;
    agent.token = token;
    return agent;
  }

  token = "";

  get isConnected(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Never rejects: an answer that does not come is an error too. */
  async call(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#lastId;
    return await this.#ask({ jsonrpc: "2.0", id, method, params }, id);
  }

  /** Several calls in one message; the answers to all of them. */
  async batch(calls: readonly [method: string, params?: object][]): Promise<Answer[]> {
    const requests = calls.map(([method, params = {}]) => ({ jsonrpc: "2.0", id: ++this.#lastId, method, params }));
    const answers = requests.map(({ id }) => this.#await(id));
    this.#send(requests);
    return await Promise.all(answers);
  }

  /** Takes what came by another way to the same agent. */
  note(text: string): void {
    if (this.transcript.length < MAX_TRANSCRIPT) this.transcript += `${text}\n`;
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  async #ask(request: object, id: number): Promise<Answer> {
    const answer = this.#await(id);
    this.#send(request);
    return await answer;
  }

  async #await(id: number): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(lost("timeout")), PATIENCE_MS);
    if (!this.isConnected) resolve(lost("not connected"));
    const answer = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return answer;
  }

  #send(message: unknown): void {
    if (this.isConnected) this.#socket.send(JSON.stringify(message));
  }

  #take(text: string): void {
    this.note(text);
    const message = JSON.parse(text) as (Answer & { id?: number }) | (Answer & { id?: number })[];
    for (const { id, result, error } of Array.isArray(message) ? message : [message]) {
      if (id === undefined) continue;
      this.#waiting.get(id)?.({ ...(result && { result }), ...(error && { error }) });
    }
  }

  #lose(why: string): void {
    for (const resolve of this.#waiting.values()) resolve(lost(why));
  }
}

function lost(message: string): Answer {
  return { error: { message, data: { kind: "lost" } } };
}
