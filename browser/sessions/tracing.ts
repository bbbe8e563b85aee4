/** A trace of all that happens in a session: actions, snapshots of pages, network, console. */

import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "playwright";
import { BrowseError } from "../../errors.ts";
import { FREE_STATE_DISK } from "../../security/files/private_file.ts";
import { isForWantOfRoom } from "../driver/want_of_room.ts";
import type { StateKey } from "../state_of.ts";
import type { Session } from "./session.ts";

interface Trace {
  context: BrowserContext;
  /** Where its folder is made. */
  within: string;
  /** Where the zip is, once the trace has ended. */
  folder?: string;
  file?: Promise<string>;
  /** Why it ended before it was asked to. */
  ended?: string;
}

/** A trace that has ended. */
export interface EndedTrace {
  data: AsyncIterable<Uint8Array>;
  ended?: string;
}

const TRACE: StateKey<Session, Trace | undefined> = { make: () => undefined };

/** Throws `invalid_params` when one runs. */
export async function startTrace(session: Session): Promise<void> {
  const known = session.state.get(TRACE);
  if (known && known.file === undefined) {
    throw new BrowseError("invalid_params", `A trace of session "${session.name}" is already running`, {
      hint: "End it with `browse trace stop`",
    });
  }
  await forgetTrace(session);
  const { context } = session;
  await context.tracing.start({ screenshots: true, snapshots: true });
  const trace: Trace = { context, within: session.filesFolder };
  session.state.set(TRACE, trace);
  // Nobody can ask for it any more; the daemon may be about to exit, so at once.
  session.events.once("ended", () => removeFile(trace));
}

/** Its context is about to close: what it has by now is kept until `endTrace`. */
export async function endTraceEarly(session: Session, reason: string): Promise<void> {
  const trace = session.state.get(TRACE);
  if (!trace || trace.file) return;
  trace.ended = reason;
  // Whoever asks for it is told.
  await writeTrace(trace).catch(() => undefined);
}

/**
 * Ends the trace and gives its bytes; it is there until it is forgotten. Throws `not_found` when none runs, `too_large`
 * when it is lost because the browser's disk was full.
 */
export async function endTrace(session: Session): Promise<EndedTrace> {
  const trace = session.state.get(TRACE);
  if (!trace) {
    throw new BrowseError("not_found", `No trace of session "${session.name}" is running`, {
      hint: "Begin with `browse trace start`",
    });
  }
  const data = createReadStream(await writtenTrace(session, trace));
  return { data, ...(trace.ended !== undefined && { ended: trace.ended }) };
}

/** Its bytes have been kept, or nobody wants them. */
export async function forgetTrace(session: Session): Promise<void> {
  const trace = session.state.take(TRACE);
  // What is still being written would come after it is removed.
  await trace?.file?.catch(() => undefined);
  if (trace) removeFile(trace);
}

/** The driver keeps nothing of a trace that it could not write, so that nothing is left to be asked for again. */
async function writtenTrace(session: Session, trace: Trace): Promise<string> {
  try {
    return await writeTrace(trace);
  } catch (error) {
    if (trace.file === undefined) throw error;
    if (session.state.get(TRACE) === trace) await forgetTrace(session);
    throw isForWantOfRoom(error) ? lostTrace(error) : error;
  }
}

/** Once. The driver writes it itself, so it gets a private folder. */
async function writeTrace(trace: Trace): Promise<string> {
  trace.folder ??= mkdtempSync(join(trace.within, "trace-"));
  const path = join(trace.folder, "trace.zip");
  trace.file ??= trace.context.tracing.stop({ path }).then(() => path);
  return await trace.file;
}

function lostTrace(cause: unknown): BrowseError {
  return new BrowseError("too_large", "The trace is lost: the disk was full while it was taken or written", {
    hint: `${FREE_STATE_DISK}, then begin again with \`browse trace start\``,
    details: { isDiskFull: true },
    cause,
  });
}

function removeFile({ folder }: Trace): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
