/** A file of JSON lines that is written once a second, off the path of any call. It is bounded, and so is what waits. */
import { statSync } from "node:fs";
import { appendFile, mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";

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
    // Asked each time: the folder may have been removed, or the file cut, by somebody else.
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    const isFull = size > 0 && size + bytes.length > this.#options.rotateBytes;
    if (isFull) await rename(this.#path, `${this.#path}.1`);
    if (size === 0) await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await appendFile(this.#path, bytes, { mode: 0o600 });
  }

  #lose(lines: number, cause: unknown): void {
    this.#lost += lines;
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    this.#options.onTrouble(`Cannot write ${this.#path}; lines are lost until it can be written`, cause);
  }
}
