/** How much the browser may tell in one message, and what becomes of whoever has it tell more. */
import type { Browser, Page } from "playwright";
import { insideOf } from "./inside.ts";
import { type DroppedMessage, MessageBound, type Transport } from "./message_bound.ts";

/** Pictures, PDFs, bodies and what sites store are below it, and a string has room for twice as much. Bytes. */
const MAX = 256 * 1024 * 1024;
const MB = 1024 * 1024;
/**
 * Of a body that a page sends from memory. Longer ones are not told: each would hold up what comes behind it, and the
 * driver keeps less of any.
 */
const MAX_BODY = MB;

/** Both its directions. */
interface Pipe extends Transport {
  send(message: { method: string; params?: object }): void;
}

interface InnerBrowser {
  _connection?: { _transport?: Partial<Pipe>; _sessions?: Map<string, InnerSession> };
}

/** What a page, a frame or a worker is heard by. */
interface InnerSession {
  _parentSession?: InnerSession | null;
  send?(method: string): Promise<unknown>;
}

interface InnerPage {
  delegate?: { _mainFrameSession?: { _client?: InnerSession } };
}

export interface LongMessagesOptions {
  /** Of one message, at most. */
  maxBytes?: number;
  /** Told of each that was dropped, in a line. */
  onDropped: (line: string) => void;
  /** Told of a page that says too much, which `isThis` knows. True when it is ended there; otherwise it is ended here. */
  onPage?: (isThis: (page: Page) => boolean, why: string) => boolean;
}

/** Drops what is longer on its way to the driver. False where the driver cannot be kept from taking it in. */
export function dropLongMessages(browser: Browser, options: LongMessagesOptions): boolean {
  const { maxBytes = MAX, onDropped, onPage = () => false } = options;
  const { _transport: transport, _sessions: sessions } = insideOf<InnerBrowser>(browser)?._connection ?? {};
  if (!transport || !isTransport(transport)) return false;
  const bound = new MessageBound({
    transport,
    maxBytes,
    onDropped: (message) => {
      onDropped(lineOf(message));
      if (message.id !== undefined) refuse(transport, message);
      else endPage(pageAbove(sessions?.get(message.sessionId ?? "")), message, onPage);
    },
  });
  transport._dispatch = (chunk) => bound.take(chunk);
  limitBodies(transport);
  return true;
}

/** Whoever asks to be told of requests: the driver itself does, for each page, frame and worker. */
function limitBodies(transport: Pipe): void {
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    const isAsking = message.method === "Network.enable";
    send(isAsking ? { ...message, params: { ...message.params, maxPostDataSize: MAX_BODY } } : message);
  };
}

function isTransport(transport: Partial<Pipe>): transport is Pipe {
  if (typeof transport.send !== "function") return false;
  return typeof transport._dispatch === "function" && Array.isArray(transport._pendingBuffers);
}

/** Of all errors of an evaluation the driver passes this one on as what it is: any other becomes a page that was left. */
const PASSED_ON = "Object reference chain is too long";

/** Whoever asked is told so, rather than waiting for good. */
function refuse(transport: Transport, { id, sessionId, bytes }: DroppedMessage): void {
  const error = { code: -32_000, message: `${PASSED_ON}: ${megabytes(bytes)}` };
  // After what came before it, which the driver hears no sooner.
  setImmediate(() => transport.onmessage?.({ id, error, ...(sessionId !== undefined && { sessionId }) }));
}

/** What the page is heard by that this is a part of; undefined of the browser's own, and of a service worker, which has none. */
function pageAbove(session: InnerSession | undefined): InnerSession | undefined {
  let top = session;
  // That of the browser has none above it; frames and workers are below their page's.
  while (top?._parentSession?._parentSession) top = top._parentSession;
  return top?._parentSession ? top : undefined;
}

/** What nobody has asked for, a page says again as soon as it can, and holds everybody's pipe for seconds each time. */
function endPage(
  session: InnerSession | undefined,
  { bytes }: DroppedMessage,
  onPage: NonNullable<LongMessagesOptions["onPage"]>,
): void {
  if (!session) return;
  const isThis = (page: Page) => insideOf<InnerPage>(page)?.delegate?._mainFrameSession?._client === session;
  // Heard even in the middle of a script.
  if (!onPage(isThis, `it said ${megabytes(bytes)} at once`)) session.send?.("Page.crash").catch(() => undefined);
}

function lineOf({ id, method, bytes }: DroppedMessage): string {
  const what = id === undefined ? `A message of the browser (${method ?? "unknown"})` : "An answer of the browser";
  return `${what} was dropped, as it was ${megabytes(bytes)} long`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / MB)} MB`;
}
