/**
 * A socket whose messages are lines, each a JSON string, as Node's own IPC writes them: the daemon's end of the channel
 * to a skill. Read as plain bytes, with a bound on each line, since whoever has the other end can write whatever it likes.
 */
import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import { MAX_MESSAGE_BYTES } from "../protocol.ts";
import type { FrameSocket } from "./connection.ts";

const OPEN = 1;
const CLOSED = 3;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** Of a line's room, what is kept for the next. */
const KEPT_BYTES = 256 * 1024;

interface LineEvents {
  message: [data: Buffer, isBinary: boolean];
  error: [error: Error];
  close: [];
}

export class LineSocket extends EventEmitter<LineEvents> implements FrameSocket {
  readonly #stream: Duplex;
  /** What has come of the line that has not ended yet, and room for more. */
  #line = Buffer.alloc(0);
  #length = 0;
  #isClosed = false;

  constructor(stream: Duplex) {
    super();
    this.#stream = stream;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("error", (error) => this.#fail(error));
    // Who has no more to say has left: a channel is no use in one direction.
    stream.on("end", () => stream.destroy());
    stream.once("close", () => {
      this.#isClosed = true;
      this.emit("close");
    });
  }

  get readyState(): number {
    return this.#isClosed || this.#stream.destroyed ? CLOSED : OPEN;
  }

  get bufferedAmount(): number {
    return this.#stream.writableLength;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  send(frame: string, onSent: (error?: Error | null) => void): void {
    this.#stream.write(`${JSON.stringify(frame)}\n`, onSent);
  }

  close(): void {
    this.#stream.end(() => this.#stream.destroy());
  }

  terminate(): void {
    this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return;
      this.#endLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** False when the line is over the bound: the socket is closed then. */
  #keep(piece: Buffer): boolean {
    const length = this.#length + piece.length;
    if (length > MAX_MESSAGE_BYTES) {
      this.#fail(new Error(`A line has over ${MAX_MESSAGE_BYTES} bytes`));
      return false;
    }
    if (length > this.#line.length) {
      // Twice as much as is needed: a line that comes byte by byte is not copied as often.
      const wider = Buffer.allocUnsafeSlow(length * 2);
      this.#line.copy(wider, 0, 0, this.#length);
      this.#line = wider;
    }
    piece.copy(this.#line, this.#length);
    this.#length = length;
    return true;
  }

  #endLine(): void {
    const text = textIn(this.#line.subarray(0, this.#length));
    this.#length = 0;
    if (this.#line.length > KEPT_BYTES) this.#line = Buffer.alloc(0);
    this.emit("message", Buffer.from(text ?? ""), text === undefined);
  }

  #fail(error: Error): void {
    this.emit("error", error);
    this.#stream.destroy();
  }
}

/** Undefined for a line that is no JSON string. */
function textIn(line: Buffer): string | undefined {
  if (line[0] !== QUOTE) return undefined;
  try {
    return String(JSON.parse(line.toString("utf8")));
  } catch {
    return undefined;
  }
}
