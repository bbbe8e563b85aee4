/**
 * The guard before the JSON-RPC library, which trusts its input too much (see docs/design/dependencies.md): every
 * message is checked here first, and what is malformed is answered without the library seeing it.
 */
import * as v from "valibot";
import type { ErrorData } from "../../errors.ts";
import { MAX_BATCH, type RequestId, type RpcFailure, type RpcRequest } from "../protocol.ts";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** Deeper JSON than this is no honest call, and would exhaust the stack of whoever walks it. */
const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

const Id = v.union([v.pipe(v.string(), v.minLength(1), v.maxLength(128)), v.pipe(v.number(), v.safeInteger())]);

const Params = v.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object of params by name",
);

const Request = v.strictObject({
  jsonrpc: v.literal("2.0"),
  id: v.exactOptional(Id),
  method: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  params: v.exactOptional(Params),
});

/** A request that may go on, or the answer to one that may not. */
export type GuardedItem = { request: RpcRequest; refusal?: never } | { request?: never; refusal: RpcFailure };

export type GuardedMessage = { batch: false; item: GuardedItem } | { batch: true; items: GuardedItem[] };

/** One text frame, checked. Never throws. */
export function guardMessage(text: string): GuardedMessage {
  if (isDeeperThan(text, MAX_DEPTH)) {
    return single(refuse(null, INVALID_REQUEST, `Invalid request: it is nested deeper than ${MAX_DEPTH} levels`));
  }
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return single(refuse(null, PARSE_ERROR, "Cannot parse the message: it is not JSON"));
  }
  if (!Array.isArray(message)) return single(guardItem(message));
  if (message.length < 1 || message.length > MAX_BATCH) {
    const text = `Invalid request: a batch has 1 to ${MAX_BATCH} items, not ${message.length}`;
    return single(refuse(null, INVALID_REQUEST, text));
  }
  return { batch: true, items: message.map(guardItem) };
}

/** The answer to a frame that is not text. */
export function refuseBinary(): RpcFailure {
  return refuse(null, PARSE_ERROR, "Cannot parse the message: send JSON in text frames").refusal;
}

/** The answer to a request whose id is taken by another one. */
export function refuseReusedId(id: RequestId): RpcFailure {
  const text = `Invalid request: the id ${JSON.stringify(id)} belongs to another call`;
  return refuse(id, INVALID_REQUEST, text, "Give every request of a client process its own id").refusal;
}

function guardItem(item: unknown): GuardedItem {
  const parsed = v.safeParse(Request, item, { abortEarly: true });
  if (parsed.success) return { request: parsed.output };
  return refuse(idOf(item), INVALID_REQUEST, `Invalid request: ${reasonOf(parsed.issues[0])}`);
}

function idOf(item: unknown): RequestId | null {
  if (typeof item !== "object" || item === null || !Object.hasOwn(item, "id")) return null;
  const { id } = item as { id: unknown };
  return v.is(Id, id) ? id : null;
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  const member = issue.path?.[0]?.key;
  if (member === undefined) return "it must be an object";
  if (issue.expected === "never") return `unknown member ${JSON.stringify(String(member).slice(0, 64))}`;
  if (issue.input === undefined) return `the member "${String(member)}" is missing`;
  return `the member "${String(member)}" is not accepted`;
}

function refuse(
  id: RequestId | null,
  code: number,
  message: string,
  hint = "See the protocol page of the documentation for the shape of a request",
): { refusal: RpcFailure } {
  const data: ErrorData = { kind: "invalid_params", hint };
  return { refusal: { jsonrpc: "2.0", id, error: { code, message, data } } };
}

function single(item: GuardedItem): GuardedMessage {
  return { batch: false, item };
}

/** Told from the text, as even parsing a million levels takes a second. Of text that is not JSON, any answer will do. */
function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
    if (depth > levels) return true;
  }
  return false;
}

/** Where the quote that ends the string is; a quote after an odd number of backslashes is not it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
