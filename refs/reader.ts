/** Talking to the reader in a frame's isolated world: one question, one answer, one round trip. */
import type { Frame, Locator } from "playwright";
import { abortable, abortReason } from "../abort.ts";
import { translateDriverError } from "../browser/driver/errors.ts";
import { callInWorld, hasWorlds } from "../browser/driver/world.ts";
import { BrowseError } from "../errors.ts";
import type { ActOperations } from "./page/act/protocol.ts";
import type { CleanupOperations } from "./page/extract/cleanup_protocol.ts";
import type { ExtractOperations } from "./page/extract/protocol.ts";
import type { ElementId, ElementNumber, Operations as ReadOperations } from "./page/protocol.ts";
import { readerSource } from "./reader_source.ts";

/** Name of the selector engine. */
const ENGINE = "browse";
/** Where the reader is, in a world that only the driver and we can see. No symbol is the name of an element or a frame. */
const HERE = 'globalThis[Symbol.for("browse.reader")]';

/** Everything the in-page code answers to. */
export type Operations = ReadOperations & ActOperations & ExtractOperations & CleanupOperations;

let registration: Promise<void> | undefined;

/** Makes the reader known to the driver; once a process, before the first page is opened. */
export function registerReader(): Promise<void> {
  registration ??= register();
  return registration;
}

/** The driver takes long to load and much memory, so it is loaded with the first browser. */
async function register(): Promise<void> {
  const [{ selectors }, content] = await Promise.all([import("playwright"), sharedSource()]);
  await selectors.register(ENGINE, { content }, { contentScript: true });
}

let shared: Promise<string> | undefined;

/** The reader of a world, whoever comes there first: by the driver elements are named, by us it is asked. */
function sharedSource(): Promise<string> {
  shared ??= readerSource().then((source) => `(${HERE} ??= ${source})`);
  return shared;
}

export interface AskOptions {
  signal?: AbortSignal;
  /** How long the frame may take. Default 30,000. */
  timeoutMs?: number;
  /** Is the question for this document alone? Then one that comes in its place is not asked: it would be made ready for nothing. */
  isForThisDocument?: boolean;
}

/**
 * Asks the reader of the frame's current document. Throws `frame_gone`, `tab_gone`, `timeout`, `cancelled`, and
 * `detached` when the document went away while it was asked.
 */
export async function ask<Name extends keyof Operations>(
  frame: Frame,
  operation: Name,
  params: Operations[Name]["params"],
  { signal, timeoutMs = 30_000, isForThisDocument = false }: AskOptions = {},
): Promise<Operations[Name]["answer"]> {
  if (frame.isDetached()) throw new BrowseError("frame_gone", "The frame has left the page");
  const question = JSON.stringify(params);
  const until = performance.now() + timeoutMs;
  let text: string | null;
  try {
    text = (await askDirectly(frame, operation, question, { signal, timeoutMs })) ?? null;
    if (text === null && isForThisDocument && hasWorlds(frame)) throw gone();
    text ??= await askByDriver(frame, operation, question, {
      signal,
      timeoutMs: Math.max(Math.ceil(until - performance.now()), 1),
    });
  } catch (error) {
    throw signal?.aborted ? abortReason(signal) : askingError(frame, error);
  }
  return unwrap(text, operation) as Operations[Name]["answer"];
}

interface Limits {
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

const ASK = "function (operation, question) { return this.ask(operation, question); }";

/** Undefined when nothing came of it, such as when the document went away meanwhile. */
async function askDirectly(
  frame: Frame,
  operation: string,
  question: string,
  { signal, timeoutMs }: Limits,
): Promise<string | undefined> {
  const over = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new BrowseError("timeout", "Timed out waiting for the page")), timeoutMs);
  try {
    const call = { source: await sharedSource(), declaration: ASK, values: [operation, question] };
    const asked = Promise.race([callInWorld(frame, over.signal, call), late]);
    const answer = await (signal ? abortable(asked, signal) : asked);
    return typeof answer === "string" ? answer : undefined;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** Waits for the document that comes when one goes, and knows why there is none. */
async function askByDriver(
  frame: Frame,
  operation: string,
  question: string,
  { signal, timeoutMs }: Limits,
): Promise<string | null> {
  const selector = `${ENGINE}=${operation}:${encode(question)}`;
  return await frame.textContent(selector, { timeout: timeoutMs, ...(signal && { signal }) });
}

function askingError(frame: Frame, error: unknown): BrowseError {
  const known = translateDriverError(error);
  // A frame whose next document is another process's loses its session, which the driver takes for the end of the page.
  if (known.kind !== "tab_gone" || !frame.parentFrame() || frame.page().isClosed()) return known;
  return gone(error);
}

function gone(cause?: unknown): BrowseError {
  return new BrowseError("detached", "The frame went to another document while the command was running", { cause });
}

/** An element as the driver's own locator; it matches nothing once the element is gone. */
export function locatorOf(frame: Frame, { doc, n }: ElementId): Locator {
  return frame.locator(`${ENGINE}=${n}@${doc}`);
}

/** The number that the parent document's reader gives the element which holds this frame. */
export async function ownerNumber(frame: Frame): Promise<ElementNumber> {
  const owner = await frame.frameElement();
  try {
    const carrier = await owner.$(`${ENGINE}=number`);
    // Read through the driver's world: the page could answer for its own.
    const text = (await carrier?.textContent()) ?? null;
    await carrier?.dispose();
    return unwrap(text, "number") as ElementNumber;
  } finally {
    await owner.dispose();
  }
}

/** The driver splits selectors at quotes, brackets and `>>`; percent signs mean nothing to it. */
function encode(question: string): string {
  return encodeURIComponent(question).replace(/['()*!~]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}

function unwrap(text: string | null, operation: string): unknown {
  const answer = JSON.parse(text ?? '{"error":"no answer"}') as { ok: unknown } | { error: string };
  if ("error" in answer) {
    throw new BrowseError("internal", `The page could not be read ("${operation}")`, {
      cause: new Error(answer.error),
    });
  }
  return answer.ok;
}
