/** The record of calls: who asked for what, what came of it, how long it took. Redacted before it is kept. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EffectReport } from "../browser/effect_report.ts";
import { JsonLinesFile } from "./json_lines_file.ts";

export interface JournalEntry {
  time: string;
  command: string;
  params: unknown;
  client: string;
  /** Whose token it was: `root`, `client bob`. */
  by: string;
  session?: string;
  tab?: string;
  /** "ok", or the kind of the error. */
  outcome: string;
  /** Why it never ran, when it was refused before. */
  refused?: string;
  ms: number;
  effect?: EffectReport;
}

export interface JournalQuery {
  /** Calls from this time on, ISO 8601. */
  since?: string;
  session?: string;
  /** The newest so many. */
  limit: number;
}

export class Journal {
  readonly #path: string;
  readonly #file: JsonLinesFile;

  constructor(stateDir: string, onError: (error: unknown) => void) {
    this.#path = join(stateDir, "journal.jsonl");
    this.#file = new JsonLinesFile(this.#path, onError);
  }

  append(entry: JournalEntry): void {
    this.#file.append(entry);
  }

  flush(): void {
    this.#file.flush();
  }

  async read(query: JournalQuery): Promise<JournalEntry[]> {
    this.flush();
    return await readJournal(this.#path, query);
  }
}

/** Entries that fit, oldest first. A line that is no entry, as a crash leaves it half written, is left out. */
async function readJournal(path: string, { since, session, limit }: JournalQuery): Promise<JournalEntry[]> {
  const found: JournalEntry[] = [];
  for (const file of [path, `${path}.1`]) {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
    for (const line of lines.toReversed()) {
      const entry = entryOf(line);
      if (!entry) continue;
      if (found.length >= limit || (since !== undefined && entry.time < since)) return found.toReversed();
      if (session === undefined || entry.session === session) found.push(entry);
    }
  }
  return found.toReversed();
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
