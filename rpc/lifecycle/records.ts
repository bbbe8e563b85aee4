/** What a daemon tells and writes down: the hub with the files behind it, the journal, and the figures of `status`. */
import { join } from "node:path";
import type { Token } from "../../security/tokens/token.ts";
import { EventFiles } from "../events/event_files.ts";
import { EventHub } from "../events/hub.ts";
import { type JournalEntry, type JournalQuery, readJournal } from "../events/journal.ts";
import { JsonLinesFile } from "../events/json_lines_file.ts";
import { type CommandFigures, Metrics } from "../events/metrics.ts";
import { CallRecorder } from "../gate/call_record.ts";
import { nameOf } from "../gate/refusals.ts";
import { MemoryRelief } from "./memory_relief.ts";

/** Each has some kilobytes for every command that it calls. */
const MAX_HOLDERS = 20;

export interface RecordsOptions {
  stateDir: string;
  /** Told when something cannot be written, and when it can again. */
  onTrouble: (message: string, cause?: unknown) => void;
}

export class Records {
  readonly hub: EventHub;
  readonly metrics = new Metrics();
  /** The same of each holder of a token, the last to call at the end. */
  readonly #byHolder = new Map<string, Metrics>();
  /** For dispatch. */
  readonly recorder: CallRecorder;
  readonly #files: EventFiles;
  readonly #journal: JsonLinesFile;
  readonly #journalPath: string;

  constructor({ stateDir, onTrouble }: RecordsOptions) {
    const files = new EventFiles(stateDir, onTrouble);
    const relief = new MemoryRelief();
    this.#files = files;
    this.hub = new EventHub({
      keep: (event) => {
        files.keep(event);
        relief.note();
      },
    });
    this.#journalPath = join(stateDir, "journal.jsonl");
    this.#journal = new JsonLinesFile(this.#journalPath, { onTrouble });
    this.recorder = new CallRecorder({
      record: (entry) => this.record(entry),
      publish: (topic, data, place) => this.hub.publish(topic, data, place),
    });
  }

  record(entry: JournalEntry): void {
    this.#journal.append(entry);
    this.metrics.note(entry);
    if (entry.by !== undefined) this.#own(entry.by).note(entry);
  }

  /** Of the newest holders; a name that was paired again goes on where it was. */
  callsOf(holder: Token): CommandFigures[] {
    return this.#byHolder.get(nameOf(holder))?.commands ?? [];
  }

  #own(name: string): Metrics {
    const metrics = this.#byHolder.get(name) ?? new Metrics();
    this.#byHolder.delete(name);
    this.#byHolder.set(name, metrics);
    for (const oldest of this.#byHolder.keys()) {
      if (this.#byHolder.size <= MAX_HOLDERS) break;
      this.#byHolder.delete(oldest);
    }
    return metrics;
  }

  /** The record of calls, up to the last one that has ended. */
  async journal(query: JournalQuery): Promise<JournalEntry[]> {
    await this.#journal.flush();
    return await readJournal(this.#journalPath, query);
  }

  /** Writes what waits to be written. */
  async flush(): Promise<void> {
    await Promise.all([this.#journal.flush(), this.#files.flush()]);
  }
}
