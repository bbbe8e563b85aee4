/**
 * The driver collects each message of the browser whole, and makes one string of it. Pages have a say in how long it is:
 * one that no string has room for was collected for good, and all that came behind it. Too long a message is dropped while
 * it comes, but for its ends.
 */

/** The driver's end of the pipe. Messages are apart by a zero byte. */
export interface Transport {
  /** Of the message that is coming. */
  _pendingBuffers: Buffer[];
  _dispatch(chunk: Buffer): void;
  onmessage?: (message: unknown) => void;
}

export interface DroppedMessage {
  /** Of the question that it answers; none for an event. */
  id?: number;
  /** Of an event. */
  method?: string;
  sessionId?: string;
  bytes: number;
}

interface Dropping {
  head: Buffer;
  tail: Buffer;
  bytes: number;
}

interface MessageBoundOptions {
  transport: Transport;
  /** Of one message. */
  maxBytes: number;
  onDropped: (message: DroppedMessage) => void;
}

/** The id or the name stands at the beginning, the session at the end. Bytes. */
const HEAD = 1_000;
const TAIL = 200;
const NOTHING = Buffer.alloc(0);

export class MessageBound {
  readonly #options: MessageBoundOptions;
  readonly #dispatch: (chunk: Buffer) => void;
  /** Of the message that is coming. */
  #pendingBytes = 0;
  #dropping: Dropping | undefined;

  constructor(options: MessageBoundOptions) {
    this.#options = options;
    this.#dispatch = options.transport._dispatch.bind(options.transport);
  }

  /** In the place of the driver's own, which gets what is short enough. */
  take(chunk: Buffer): void {
    const end = chunk.indexOf(0);
    const bytes = this.#pendingBytes + (end === -1 ? chunk.length : end);
    if (this.#dropping) this.#drop(this.#dropping, chunk);
    else if (bytes > this.#options.maxBytes) this.#drop(this.#beginDropping(), chunk);
    else this.#pass(chunk, end === -1 ? bytes : chunk.length - chunk.lastIndexOf(0) - 1);
  }

  #pass(chunk: Buffer, pendingBytes: number): void {
    try {
      this.#dispatch(chunk);
      this.#pendingBytes = pendingBytes;
    } catch {
      // The driver would keep it, and throw at all that comes behind it.
      this.#drop(this.#beginDropping(), chunk);
    }
  }

  #beginDropping(): Dropping {
    const head = startOf(this.#options.transport._pendingBuffers);
    this.#options.transport._pendingBuffers = [];
    this.#dropping = { head, tail: NOTHING, bytes: this.#pendingBytes };
    this.#pendingBytes = 0;
    return this.#dropping;
  }

  #drop(dropping: Dropping, chunk: Buffer): void {
    const end = chunk.indexOf(0);
    const part = end === -1 ? chunk : chunk.subarray(0, end);
    dropping.bytes += part.length;
    if (dropping.head.length < HEAD) dropping.head = startOf([dropping.head, part]);
    dropping.tail = endOf(dropping.tail, part);
    if (end === -1) return;
    this.#dropping = undefined;
    this.#options.onDropped(describe(dropping));
    if (end + 1 < chunk.length) this.take(chunk.subarray(end + 1));
  }
}

/** A copy: what it is of is to be freed. */
function startOf(parts: readonly Buffer[]): Buffer {
  const starts: Buffer[] = [];
  let left = HEAD;
  for (const part of parts) {
    if (left === 0) break;
    const start = part.subarray(0, left);
    starts.push(start);
    left -= start.length;
  }
  return Buffer.concat(starts);
}

function endOf(before: Buffer, part: Buffer): Buffer {
  return Buffer.concat([before, part.subarray(-TAIL)]).subarray(-TAIL);
}

/** What a page has put into it cannot look so: its quotes are escaped. */
function describe({ head, tail, bytes }: Dropping): DroppedMessage {
  const [, id] = /^\{"id":(\d+)/.exec(head.toString("latin1")) ?? [];
  const [, method] = /^\{"method":"([\w.]+)"/.exec(head.toString("latin1")) ?? [];
  const [, sessionId] = /"sessionId":"(\w+)"\}$/.exec(tail.toString("latin1")) ?? [];
  return {
    ...(id !== undefined && { id: Number(id) }),
    ...(method !== undefined && { method }),
    ...(sessionId !== undefined && { sessionId }),
    bytes,
  };
}
