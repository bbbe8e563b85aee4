/** Plain HTTP beside the WebSocket: bodies in, small answers out. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";

/** Answers a request of a method and path that the listener knows. */
export type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The body as text; a status when it is longer than `maxBytes` or does not end. The listener bounds the time. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | 413 | 400> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return 413;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes) return 413;
      parts.push(part);
    }
  } catch {
    // The sender went away, or was too slow.
    return 400;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The status in words. What is left of the request is not read: the connection closes. */
export function answerStatus(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "text/plain", connection: "close", ...headers });
  response.end(`${STATUS_CODES[status]}\n`);
}

export function answerText(response: ServerResponse, type: "application/json" | "text/plain", text: string): void {
  response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
}
