/** The record of calls: who asked for what, what came of it, how long it took. Redacted before it is kept. */
import type { DialogRecord, EffectReport } from "../../browser/effect_report.ts";
import { readOwnFile } from "../../security/files/own_file.ts";
import { RECORDED, redactParams } from "../../security/secrets/redact.ts";
import { REDACTED } from "../../security/secrets/secret_shapes.ts";
import type { HiddenValue, Origin } from "./call_memory.ts";

/** A file is set aside long before. */
const MAX_BYTES = 100_000_000;

export interface JournalEntry {
  /** `7f3a-12`: which daemon's, and the how-manieth of it; absent for what the door refused. */
  id?: string;
  /** The call that this one was a step of, or went on with. */
  parent?: string;
  time: string;
  command: string;
  params: unknown;
  client: string;
  /** Whose token it was: `root`, `client bob`. */
  by: string;
  session?: string;
  tab?: string;
  /** What its tab showed at its end. */
  page?: string;
  /** "ok", or the kind of the error. */
  outcome: string;
  /** Why it never ran, when it was refused before. */
  refused?: string;
  ms: number;
  effect?: EffectReport;
  /** What an action was done to or a read looked at, and how it can be found again: for scripts made of what was done. */
  elements?: ActedOn[];
  /** What it answered was like; the digest is the same for the same answer of one daemon. */
  result?: { shape: string; digest: string };
  /** Params that earlier calls had answered. */
  from?: Origin[];
  /** Params that are not shown, but told apart. */
  hidden?: HiddenValue[];
}

/** An element, with selectors that were true of it, the most lasting first. */
export interface ActedOn {
  ref: string;
  role: string;
  name: string;
  locators: string[];
  /** Words of its name that no other of its role had in its own, in lower case: one is enough to find it. */
  words?: string[];
  /** Address of its frame, when that was not the main one. */
  frame?: string;
}

export interface JournalQuery {
  /** Calls from this time on, ISO 8601. */
  since?: string;
  session?: string;
  /** The newest so many. */
  limit: number;
}

/** Entries that fit, oldest first. A line that is no entry, as a crash leaves it half written, is left out. */
export async function readJournal(path: string, { since, session, limit }: JournalQuery): Promise<JournalEntry[]> {
  const found: JournalEntry[] = [];
  for (const file of [path, `${path}.1`]) {
    const lines = textOf(file).split("\n");
    for (const line of lines.toReversed()) {
      const entry = entryOf(line);
      if (!entry) continue;
      if (found.length >= limit || (since !== undefined && entry.time < since)) return found.toReversed();
      if (session === undefined || entry.session === session) found.push(entry);
    }
  }
  return found.toReversed();
}

/** An effect as it may be written down: what was typed into a dialog or a field, the page's lines, and secrets in addresses, are left out. */
export function shownEffect({ changes: _, moreChanges: __, ...effect }: EffectReport): EffectReport {
  const dialogs = effect.dialogs?.map(withoutAnswer);
  const before = effect.before?.dialogs && {
    ...effect.before,
    dialogs: effect.before.dialogs.map(withoutAnswer),
  };
  const rewritten = effect.rewritten?.map(({ field }) => ({ field }));
  const shown = { ...effect, ...(dialogs && { dialogs }), ...(before && { before }), ...(rewritten && { rewritten }) };
  return redactParams(shown, [], RECORDED) as EffectReport;
}

function withoutAnswer(dialog: DialogRecord): DialogRecord {
  return dialog.answer === undefined ? dialog : { ...dialog, answer: REDACTED };
}

/** Nothing where there is no file, or none of ours. */
function textOf(path: string): string {
  try {
    return readOwnFile(path, { maxBytes: MAX_BYTES }) ?? "";
  } catch {
    return "";
  }
}

function entryOf(line: string): JournalEntry | undefined {
  if (line === "") return undefined;
  try {
    const entry = JSON.parse(line) as JournalEntry;
    return typeof entry.time === "string" && typeof entry.command === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}
