/** Talking to the reader in a frame's isolated world: one question, one answer, one round trip. */
import type { Frame, Locator } from "playwright";
import { translateDriverError } from "../browser/driver_errors.ts";
import { BrowseError } from "../rpc/errors.ts";
import type { ActOperations } from "./page/act_protocol.ts";
import type { CleanupOperations } from "./page/cleanup_protocol.ts";
import type { ExtractOperations } from "./page/extract_protocol.ts";
import type { ElementId, ElementNumber, Operations as ReadOperations } from "./page/protocol.ts";
import { readerSource } from "./reader_source.ts";

/** Name of the selector engine. */
const ENGINE = "browse";

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
  const [{ selectors }, content] = await Promise.all([import("playwright"), readerSource()]);
  await selectors.register(ENGINE, { content }, { contentScript: true });
}

export interface AskOptions {
  signal?: AbortSignal;
  /** How long the frame may take. Default 30,000. */
  timeoutMs?: number;
}

/**
 * Asks the reader of the frame's current document. Throws `frame_gone`, `tab_gone`, `timeout`, `cancelled`, and
 * `detached` when the document went away while it was asked.
 */
export async function ask<Name extends keyof Operations>(
  frame: Frame,
  operation: Name,
  params: Operations[Name]["params"],
  { signal, timeoutMs = 30_000 }: AskOptions = {},
): Promise<Operations[Name]["answer"]> {
  if (frame.isDetached()) throw new BrowseError("frame_gone", "The frame has left the page");
  const selector = `${ENGINE}=${operation}:${encode(params)}`;
  let text: string | null;
  try {
    text = await frame.textContent(selector, { timeout: timeoutMs, ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw translateDriverError(error);
  }
  return unwrap(text, operation) as Operations[Name]["answer"];
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
function encode(params: unknown): string {
  return encodeURIComponent(JSON.stringify(params)).replace(
    /['()*!~]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
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
