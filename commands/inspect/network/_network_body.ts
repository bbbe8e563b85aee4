/** What a request sent and was answered, as text with its secrets redacted. Asked of the browser only when wanted. */
import type { Request } from "playwright";
import { abortable } from "../../../abort.ts";
import { type HeaderFields, withoutOwnValues } from "../../../browser/capture/own_headers.ts";
import { redactText } from "../../../security/secrets/redact.ts";

/** Longer bodies are not shown at all: redacting takes time, and nobody reads them here. Bytes. */
const MAX_BYTES = 10_000_000;
/** A page that is stopped by a dialog or hangs gives nothing. */
const MAX_ASK_MS = 5_000;

/** A body as text, or why there is none to show. */
export type Body = { text: string } | { missing: string };

interface BodyOptions {
  /** HeaderFields that the session's user has set: their values are redacted wherever they are repeated. */
  ownHeaders: HeaderFields;
}

/** Undefined when the request had none. */
export function requestBody(request: Request, { ownHeaders }: BodyOptions): Body | undefined {
  const data = request.postDataBuffer();
  const type = request.headers()["content-type"];
  if (data) return asText(data, type ?? "", ownHeaders);
  return type === undefined ? undefined : { missing: "the browser tells neither files nor what is over 1 MB" };
}

/** Undefined when the answer had none. The browser keeps bodies until the page is left, or it lacks room. */
export async function responseBody(
  request: Request,
  { ownHeaders }: BodyOptions,
  signal: AbortSignal,
): Promise<Body | undefined> {
  const response = request.existingResponse();
  if (!response || hasNoBody(request.method(), response.status())) return undefined;
  const type = response.headers()["content-type"] ?? "";
  if (isBinaryType(type)) return { missing: `it is ${type}; \`browse download\` saves it` };
  if (request.timing().responseEnd < 0) return { missing: "it has not arrived" };
  try {
    const data = await abortable(response.body(), AbortSignal.any([signal, AbortSignal.timeout(MAX_ASK_MS)]));
    return data.length === 0 ? undefined : asText(data, type, ownHeaders);
  } catch {
    signal.throwIfAborted();
    return { missing: "the browser no longer has it" };
  }
}

/** RFC 9110, 6.4.1; redirects have one that nobody is shown. */
function hasNoBody(method: string, status: number): boolean {
  return method === "HEAD" || status < 200 || status === 204 || (status >= 300 && status < 400);
}

function isBinaryType(type: string): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|zip|gzip|pdf|wasm))/i.test(type);
}

function asText(data: Buffer, type: string, ownHeaders: HeaderFields): Body {
  if (data.length > MAX_BYTES) return { missing: `it has ${data.length} bytes; \`browse download\` saves it` };
  const text = decoded(data, type);
  if (text === undefined) return { missing: `it is binary, of ${data.length} bytes` };
  // Whole before it is cut: half a secret at the end of a part would not be known as one.
  return { text: redactText(withoutOwnValues(text, ownHeaders)) };
}

/** The browser gives what it knows as text in UTF-8, whatever it came in. */
function decoded(data: Buffer, type: string): string | undefined {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1];
  for (const encoding of ["utf-8", ...(charset ? [charset] : [])]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(data);
      return text.includes("\0") ? undefined : text;
    } catch {
      // Not in this encoding, or one that nobody knows.
    }
  }
  return undefined;
}
