/** What a script prints, line by line and no more than somebody may want to read. */
import type { Readable } from "node:stream";
import { cutText } from "../../security/content/cut_text.ts";

/** Characters of a line. */
const MAX_LINE = 2_000;
/** Characters in all. */
const MAX_LOG = 1024 * 1024;
/** Of one stream; a script that goes on after so much is of no use to anybody. Characters. */
const MAX_READ = 16 * MAX_LOG;
const KEPT_LINES = 20;

export class ScriptLog {
  readonly #onLine: (line: string) => void;
  readonly #onFlood: () => void;
  readonly #last: string[] = [];
  #length = 0;
  #dropped = 0;

  /** `onFlood` is told when so much has come that it is not read to its end. */
  constructor({ onLine, onFlood }: { onLine: (line: string) => void; onFlood: () => void }) {
    this.#onLine = onLine;
    this.#onFlood = onFlood;
  }

  /** The last lines, with a word of those that were too many. */
  get lastLines(): readonly string[] {
    return this.#dropped === 0 ? this.#last : [...this.#last, this.#tellOfDropped()];
  }

  /** Reads to the end; what is over the bound is read, and dropped. */
  follow(stream: Readable): void {
    let begun = "";
    let read = 0;
    stream.setEncoding("utf8");
    // The process is gone: that is told by its exit.
    stream.on("error", () => undefined);
    stream.on("data", (text: string) => {
      read += text.length;
      if (read > MAX_READ) this.#onFlood();
      const lines = text.split("\n");
      lines[0] = begun + lines[0];
      // Of a line that never ends, no more is kept than is shown.
      begun = (lines.pop() ?? "").slice(0, MAX_LINE + 1);
      for (const line of lines) this.#add(line);
    });
    stream.on("end", () => {
      if (begun !== "") this.#add(begun);
    });
  }

  /** Says how much was dropped, if any was. */
  end(): void {
    if (this.#dropped > 0) this.#onLine(this.#tellOfDropped());
  }

  #add(line: string): void {
    const shown = cutText(line, MAX_LINE);
    this.#length += shown.length + 1;
    if (this.#length > MAX_LOG) {
      this.#dropped++;
      return;
    }
    if (this.#last.push(shown) > KEPT_LINES) this.#last.shift();
    this.#onLine(shown);
  }

  #tellOfDropped(): string {
    return `… ${this.#dropped} more lines were dropped`;
  }
}
