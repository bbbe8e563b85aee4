/** A file of JSON lines that is written once a second, off the path of any call. It is bounded, and so is what waits. */
import { lstatSync, renameSync } from "node:fs";
import { appendLines } from "../../security/files/append_line.ts";

/** A crash loses at most what the last second brought. */
const FLUSH_MS = 1_000;
const ROTATE_BYTES = 10_000_000;
/** What may wait for a disk that does not keep up. Characters. */
const MAX_PENDING = 32_000_000;

export interface JsonLinesOptions {
  /** Told once when lines begin to be lost, and once when they no longer are. */
  onTrouble: (message: string, cause?: unknown) => void;
  flushMs?: number;
  rotateBytes?: number;
}

/** Keeps one older generation beside the file: `journal.jsonl.1`. */
export class JsonLinesFile {
  readonly #path: string;
  readonly #options: Required<JsonLinesOptions>;
  #pending: string[] = [];
  #pendingLength = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** Lost since the last line that was written. */
  #lost = 0;
  #isTroubled = false;

  constructor(path: string, { onTrouble, flushMs = FLUSH_MS, rotateBytes = ROTATE_BYTES }: JsonLinesOptions) {
    this.#path = path;
    this.#options = { onTrouble, flushMs, rotateBytes };
  }

  append(entry: object): void {
    this.appendLine(JSON.stringify(entry));
  }

  /** Takes what is JSON already. */
  appendLine(json: string): void {
    if (this.#pendingLength > MAX_PENDING) {
      this.#lose(1, undefined);
      return;
    }
    this.#pending.push(json);
    this.#pendingLength += json.length;
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.flushMs).unref();
  }

  /** Writes what is pending. Never rejects: what cannot be written is counted, told once, and the next lines try again. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    const lines = this.#take();
    if (lines.length === 0) return;
    this.#writing = this.#write(lines).finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  #take(): string[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#pending;
    this.#pending = [];
    this.#pendingLength = 0;
    return lines;
  }

  async #write(lines: string[]): Promise<void> {
    try {
      await this.#append(Buffer.from(`${lines.join("\n")}\n`));
    } catch (error) {
      this.#lose(lines.length, error);
      return;
    }
    if (this.#isTroubled) this.#options.onTrouble(`Writes to ${this.#path} again; ${this.#lost} lines were lost`);
    this.#isTroubled = false;
    this.#lost = 0;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    // Asked each time: somebody else may have cut it. A folder that somebody has removed is not made again.
    const stats = lstatSync(this.#path, { throwIfNoEntry: false });
    const size = stats?.isFile() ? stats.size : 0;
    if (size > 0 && size + bytes.length > this.#options.rotateBytes) renameSync(this.#path, `${this.#path}.1`);
    await appendLines(this.#path, bytes);
  }

  #lose(lines: number, cause: unknown): void {
    this.#lost += lines;
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    this.#options.onTrouble(`Cannot write ${this.#path}; lines are lost until it can be written`, cause);
  }
}
