/**
 * The list of files that were made, for the daemons that come: a line of JSON for each, the newest last. It trusts nobody
 * who could have put it there: a file counts as ours only while its inode, size and time are those that were written down,
 * and the list itself only with mode 0600, which no repository brings along.
 */
import { appendFileSync, closeSync, ftruncateSync } from "node:fs";
import * as v from "valibot";
import { NotOurs, openToAppend, readOwnFile, removeOwnFile } from "./own_file.ts";

const Line = v.object({ path: v.string(), fingerprint: v.string(), maker: v.exactOptional(v.string()) });

/** Whose call made it is in `maker`; the user's when absent. */
export type MadeFile = v.InferOutput<typeof Line>;

interface MadeRecordOptions {
  /** Lines beyond twice as many are dropped. */
  maxFiles: number;
  onTrouble: (message: string, cause: unknown) => void;
}

/** Twice the files that are known, by paths of the usual length. */
const MAX_BYTES = 16_000_000;

export class MadeRecord {
  readonly #path: string;
  readonly #options: MadeRecordOptions;
  #lines = 0;

  constructor(path: string, options: MadeRecordOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Those that are written down, the oldest first. What cannot be read is told and removed. */
  read(): MadeFile[] {
    try {
      const files = filesIn(readOwnFile(this.#path, { isSecret: true, maxBytes: MAX_BYTES }) ?? "");
      this.#lines = files.length;
      return files;
    } catch (error) {
      this.#options.onTrouble("The list of files that were made here cannot be read: it begins anew", error);
      if (error instanceof NotOurs) this.#try(() => removeOwnFile(this.#path));
      return [];
    }
  }

  /** Writes one down; `all` are those that count. */
  add(file: MadeFile, all: ReadonlyMap<string, MadeFile>): void {
    const isLong = this.#lines >= 2 * this.#options.maxFiles;
    this.#try(() => this.#write(isLong ? [...all.values()] : [file], isLong));
  }

  #write(files: readonly MadeFile[], isAnew: boolean): void {
    const opened = openToAppend(this.#path);
    try {
      if (isAnew) ftruncateSync(opened);
      this.#lines = isAnew ? 0 : this.#lines;
      appendFileSync(opened, files.map((file) => `${JSON.stringify(file)}\n`).join(""));
      this.#lines += files.length;
    } finally {
      closeSync(opened);
    }
  }

  #try(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.onTrouble("The list of files that were made here cannot be kept", error);
    }
  }
}

function filesIn(text: string): MadeFile[] {
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = v.safeParse(Line, JSON.parse(line));
      return parsed.success ? [parsed.output] : [];
    } catch {
      // The last line of a process that was killed while it wrote.
      return [];
    }
  });
}
