/**
 * A WebSocket client over a TCP socket, as much of RFC 6455 as a daemon on this machine needs. It exists because the
 * platform's own costs a one-shot command more time than the command itself.
 *
 * These modules are closures and not classes for the sake of the bundle's size: minifying shortens variables further
 * than private members.
 */
import { connect } from "node:net";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;

/** Where a daemon listens and what opens it. */
export interface Address {
  host: string;
  port: number;
  token: string;
}

/** What ended a connection. */
export interface Closing {
  /** `refused`: nobody took the connection; `rejected`: the answer to the upgrade was not 101. */
  reason: "refused" | "rejected" | "closed";
  /** HTTP status of a rejection, else 0. */
  status: number;
}

export interface SocketEvents {
  /** The daemon has answered the upgrade. */
  open(): void;
  message(text: string): void;
  /** Comes once, whatever the reason. */
  close(closing: Closing): void;
}

export interface ClientSocket {
  /** True once the peer's machine has taken the TCP connection, whether or not the peer has answered. */
  isConnected(): boolean;
  send(text: string): void;
  /** Sends what is left and calls back when the peer has it, or after `graceMs`. */
  end(graceMs: number, done: () => void): void;
  destroy(): void;
}

/** Connects, and sends the first message without waiting for the answer to the upgrade: both travel in one packet. */
export function openSocket(
  { host, port, token }: Address,
  clientId: string,
  firstText: string,
  events: SocketEvents,
): ClientSocket {
  const pieces: Buffer[] = [];
  let held = 0;
  /** Bytes that must be held before looking again is of use. */
  let wanted = 1;
  let isConnected = false;
  let isOpen = false;
  let isOver = false;
  let status = 0;
  let fragments: Buffer[] = [];

  const socket = connect({ host, port, noDelay: true });
  socket.on("connect", () => {
    isConnected = true;
  });
  socket.on("data", take);
  // What matters of an error is that "close" follows it.
  socket.on("error", () => {});
  socket.on("close", over);
  const key = Buffer.from(String(Math.random()).padEnd(16, "0").slice(0, 16)).toString("base64");
  const upgrade = `GET /rpc HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nAuthorization: Bearer ${token}\r\nX-Browse-Client: ${clientId}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(upgrade), frame(TEXT, Buffer.from(firstText))]));

  function over(): void {
    if (isOver) return;
    isOver = true;
    events.close({ reason: status ? "rejected" : isConnected ? "closed" : "refused", status });
  }

  /** Collects pieces until a frame can be whole, so that a long answer is joined once and not per packet. */
  function take(data: Buffer): void {
    pieces.push(data);
    held += data.length;
    if (held < wanted) return;
    let rest = pieces.length > 1 ? Buffer.concat(pieces) : data;
    pieces.length = 0;
    if (!isOpen) rest = readUpgrade(rest);
    while (isOpen && !isOver) {
      const next = readFrame(rest);
      if (!next) break;
      rest = next;
    }
    if (rest.length > 0) pieces.push(rest);
    held = rest.length;
  }

  // Sec-WebSocket-Accept is not checked: it guards against caches and scripted browsers, and would cost a hash module.
  function readUpgrade(data: Buffer): Buffer {
    const end = data.indexOf("\r\n\r\n");
    wanted = data.length + 1;
    if (end < 0) return data;
    const answer = data.toString("latin1", 9, 12);
    if (answer === "101") {
      isOpen = true;
      events.open();
    } else {
      status = Number(answer) || 1;
      socket.destroy();
    }
    return data.subarray(end + 4);
  }

  /** Handles the first frame of `data` and gives what follows it; undefined while it is not whole. */
  function readFrame(data: Buffer): Buffer | undefined {
    const short = (data[1] ?? 0) & 127;
    const head = short < 126 ? 2 : short > 126 ? 10 : 4;
    wanted = head;
    if (data.length < wanted) return undefined;
    wanted += short < 126 ? short : short > 126 ? Number(data.readBigUInt64BE(2)) : data.readUInt16BE(2);
    if (data.length < wanted) return undefined;
    handle(data[0] ?? 0, data.subarray(head, wanted));
    return data.subarray(wanted);
  }

  function handle(first: number, payload: Buffer): void {
    const kind = first & 15;
    if (kind === PING) socket.write(frame(PING + 1, payload));
    else if (kind === CLOSE) {
      socket.end(frame(CLOSE, payload.subarray(0, 2)));
      over();
    } else if (kind < 3) {
      fragments.push(payload);
      if (first < 128) return;
      const whole = Buffer.concat(fragments);
      fragments = [];
      events.message(whole.toString());
    }
  }

  return {
    isConnected: () => isConnected,
    send: (text) => void socket.write(frame(TEXT, Buffer.from(text))),
    end(graceMs, done) {
      setTimeout(done, graceMs);
      socket.once("close", done);
      socket.end(frame(CLOSE, Buffer.alloc(0)));
    },
    destroy: () => void socket.destroy(),
  };
}

/** One masked frame. The mask hides nothing here, but servers refuse frames without it. */
function frame(kind: number, payload: Buffer): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const head = 6 + extra;
  const bytes = Buffer.allocUnsafe(head + length);
  bytes[0] = 128 | kind;
  bytes[1] = 128 | (extra > 2 ? 127 : extra ? 126 : length);
  if (extra > 2) bytes.writeBigUInt64BE(BigInt(length), 2);
  else if (extra) bytes.writeUInt16BE(length, 2);
  const mask = Buffer.from([0, 0, 0, 0].map(() => Math.random() * 256));
  mask.copy(bytes, head - 4);
  for (let at = 0; at < length; at++) bytes[head + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return bytes;
}
