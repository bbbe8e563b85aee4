/** Command lines over one connection that stays: what the client sends and prints, without a process for each. */
import WebSocket from "ws";
import type { CliAnswer, DaemonFile } from "./project.ts";

interface Waiting {
  /** What came before the answer. */
  printed: { stdout: string; stderr: string };
  isAccepted: boolean;
  resolve: (answer: CliAnswer | undefined) => void;
  reject: (error: Error) => void;
}

interface Message {
  id?: string;
  method?: string;
  params?: { id: string; stream?: "stdout" | "stderr"; text?: string };
  result?: CliAnswer;
  error?: { message: string; data: { kind: string; hint: string } };
}

export class CommandLine {
  readonly #socket: WebSocket;
  readonly #isOpen: Promise<boolean>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #version: string;
  #total = 0;

  constructor({ port, token, version }: DaemonFile) {
    this.#version = version;
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { authorization: `Bearer ${token}` } });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#isOpen = promise;
    this.#socket.on("open", () => resolve(true));
    // "close" follows.
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      resolve(false);
      this.#lose();
    });
    this.#socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as Message));
  }

  get isClosed(): boolean {
    return this.#socket.readyState > WebSocket.OPEN;
  }

  /** Undefined when the daemon is not there, or went before it accepted. Rejects when it went after that. */
  async run(argv: readonly string[], where: { cwd: string; stdin?: string; session?: string }) {
    if (!(await this.#isOpen)) return undefined;
    const id = String(++this.#total);
    const { promise, resolve, reject } = Promise.withResolvers<CliAnswer | undefined>();
    this.#waiting.set(id, { printed: { stdout: "", stderr: "" }, isAccepted: false, resolve, reject });
    const params = { argv, version: this.#version, ...where };
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "cli.exec", params }));
    return await promise;
  }

  close(): void {
    this.#socket.terminate();
  }

  #lose(): void {
    for (const { isAccepted, resolve, reject } of this.#waiting.values()) {
      if (isAccepted) reject(new Error("The daemon went after it had accepted a command"));
      else resolve(undefined);
    }
    this.#waiting.clear();
  }

  #take({ id, method, params, result, error }: Message): void {
    const waiting = this.#waiting.get(id ?? params?.id ?? "");
    if (!waiting) return;
    const { printed, resolve } = waiting;
    if (method === "accepted") waiting.isAccepted = true;
    // Nobody sits at a terminal here.
    if (method === "ask")
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method: "call.reply", params: { id: params?.id } }));
    if (params?.stream) printed[params.stream] += params.text ?? "";
    if (id === undefined) return;
    this.#waiting.delete(id);
    if (result) {
      const { stdout, stderr, exitCode } = result;
      resolve({ stdout: printed.stdout + stdout, stderr: printed.stderr + stderr, exitCode });
    } else {
      resolve({
        ...printed,
        stderr: `${printed.stderr}Error: ${error?.message}\nHint: ${error?.data.hint}\n`,
        exitCode: 1,
      });
    }
  }
}
