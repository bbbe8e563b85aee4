/** A daemon that answers every connection with the bytes that it is given, cut into pieces as it is told. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { identityOf } from "../../security/process/process_identity.ts";
import { version } from "../harness/version.ts";
import type { FakeProject } from "./fake_project.ts";

export const TEXT = 1;
export const PING = 9;
export const PONG = 10;

export const UPGRADE = Buffer.from("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");

export class ScriptedDaemon implements AsyncDisposable {
  /** What is said once a whole request has come, upgrade included. */
  script: Buffer = Buffer.alloc(0);
  /** The length of each piece that is sent; the last goes on to the end. */
  pieces: readonly number[] = [];
  /** Closes the connection after it. */
  closes = false;
  /** The text of every request. */
  requests: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Listens, and writes the state file of the project. */
  async open(project: FakeProject): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.listen(0, "127.0.0.1", resolve);
    await promise;
    const state = {
      ...identityOf(process.pid),
      port: this.port,
      token: "secret",
      startedAt: "",
      version,
      protocol: "1.0.0",
    };
    mkdirSync(project.stateDir, { mode: 0o700, recursive: true });
    writeFileSync(join(project.stateDir, "daemon.json"), JSON.stringify(state), { mode: 0o600 });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket.setNoDelay());
    let heard = Buffer.alloc(0);
    let isAnswered = false;
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (data: Buffer) => {
      heard = Buffer.concat([heard, data]);
      const text = isAnswered ? undefined : requestIn(heard);
      if (text === undefined) return;
      isAnswered = true;
      this.requests.push(text);
      void this.#say(socket);
    });
  }

  async #say(socket: Socket): Promise<void> {
    let at = 0;
    for (const length of this.pieces) {
      socket.write(this.script.subarray(at, at + length));
      at += length;
      await setImmediate();
    }
    const rest = this.script.subarray(at);
    if (this.closes) socket.end(rest);
    else socket.write(rest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.#server[Symbol.asyncDispose]();
  }
}

/** The text of the first frame after the upgrade; undefined while it is not whole. */
function requestIn(bytes: Buffer): string | undefined {
  const start = bytes.indexOf("\r\n\r\n") + 4;
  if (start < 4 || bytes.length < start + 14) return undefined;
  const short = (bytes[start + 1] ?? 0) & 127;
  const extra = short < 126 ? 0 : short === 126 ? 2 : 8;
  const length =
    extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(start + 2) : Number(bytes.readBigUInt64BE(start + 2));
  const mask = bytes.subarray(start + 2 + extra, start + 6 + extra);
  const payload = bytes.subarray(start + 6 + extra, start + 6 + extra + length);
  if (payload.length < length) return undefined;
  return Buffer.from(payload.map((byte, at) => byte ^ (mask[at & 3] ?? 0))).toString();
}

/** One frame as a server sends it. */
export function frame(kind: number, payload: string | Uint8Array, isLast = true): Buffer {
  const bytes = Buffer.from(payload);
  const { length } = bytes;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra);
  head[0] = (isLast ? 128 : 0) | kind;
  head[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, bytes]);
}
