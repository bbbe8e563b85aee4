/** A trace of all that happens in a session: actions, snapshots of pages, network, console. */
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import type { Session } from "./session.ts";

interface Trace {
  context: BrowserContext;
  /** The zip, once the trace has ended. */
  file?: Promise<string>;
}

const traces = new WeakMap<Session, Trace>();

/** Throws `invalid_params` when one runs. */
export async function startTrace(session: Session): Promise<void> {
  const known = traces.get(session);
  if (known && known.file === undefined && known.context === session.context) {
    throw new BrowseError("invalid_params", `A trace of session "${session.name}" runs already`, {
      hint: "End it with `browse trace stop`",
    });
  }
  await forgetTrace(session);
  const { context } = session;
  await context.tracing.start({ screenshots: true, snapshots: true });
  traces.set(session, { context });
}

/**
 * Ends the trace and gives its bytes; it is there until it is forgotten. Throws `not_found` when none runs, or when it
 * went with the browser's context.
 */
export async function endTrace(session: Session): Promise<AsyncIterable<Uint8Array>> {
  const trace = traces.get(session);
  if (!trace || trace.context !== session.context) {
    throw new BrowseError("not_found", `No trace of session "${session.name}" runs`, {
      hint: "Begin with `browse trace start`",
    });
  }
  trace.file ??= writeTrace(trace.context);
  return createReadStream(await trace.file);
}

/** Its bytes have been kept, or nobody wants them. */
export async function forgetTrace(session: Session): Promise<void> {
  const file = await traces.get(session)?.file?.catch(() => undefined);
  traces.delete(session);
  if (file !== undefined) rmSync(join(file, ".."), { recursive: true, force: true });
}

/** The driver writes it itself, so it gets a private folder. */
async function writeTrace(context: BrowserContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "browse-trace-"));
  const path = join(folder, "trace.zip");
  try {
    await context.tracing.stop({ path });
    return path;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
