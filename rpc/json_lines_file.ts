import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A crash loses at most what the last second brought. */
const FLUSH_MS = 1_000;
const ROTATE_BYTES = 10_000_000;

/** Appends JSON lines to a file once a second, off the path of any call; one older generation is kept. */
export class JsonLinesFile {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #pending: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
  }

  append(entry: object): void {
    this.#pending.push(JSON.stringify(entry));
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  /** Writes what is pending. A full disk or a removed folder is reported, and the next flush tries again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const text = `${this.#pending.join("\n")}\n`;
    this.#pending = [];
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, text, { mode: 0o600 });
      if (statSync(this.#path).size > ROTATE_BYTES) renameSync(this.#path, `${this.#path}.1`);
    } catch (error) {
      this.#onError(error);
    }
  }
}
