/** The results of `--each`: one line a job, added as each ends, so that whatever ends the run leaves those that were done. */
import { closeSync, createReadStream, fstatSync, ftruncateSync, readSync, write } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { boundedLines } from "../../security/files/bounded_lines.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { NotOurs, openKeptToAppend, removeOwnFile } from "../../security/files/own_file.ts";
import { DISK_FULL, diskFull } from "../../security/files/private_file.ts";

export interface ResultRow {
  key: string;
  args: Record<string, unknown>;
  ok: boolean;
  value?: unknown;
  error?: { kind: string; message: string; hint: string };
  ms: number;
  /** How often it was begun. */
  attempts: number;
}

/** Bytes; a skill's value has a megabyte at most, and its args as much. */
const MAX_ROW = 4_000_000;
const CHUNK = 65_536;
const LINE_FEED = 10;

const writeBytes = promisify(write);
const KnownSchema = v.looseObject({ key: v.string(), ok: v.boolean() });

export class ResultsFile implements AsyncDisposable {
  readonly path: string;
  /** Keys of the jobs that have a row. */
  readonly keys = new Set<string>();
  readonly #file: number;
  /** Bytes of whole rows. */
  #size: number;
  /** One row is written after the other. */
  #last: Promise<void> = Promise.resolve();
  #failed = 0;

  private constructor(path: string, file: number, size: number) {
    this.path = path;
    this.#file = file;
    this.#size = size;
  }

  /**
   * Opens a file, made if need be, and learns what is done. A last line without its end was being written when the run was broken
   * off: it is dropped, unless it is whole. Throws `invalid_params` for what is not a file of results.
   */
  static async open(path: string, { signal }: { signal: AbortSignal }): Promise<ResultsFile> {
    const file = opened(path);
    try {
      const size = wholeSize(file);
      const results = new ResultsFile(path, file, size);
      await results.#learn(signal);
      const rest = results.#restOf(size);
      // Not before it is known for what it is.
      if (rest === undefined) ftruncateSync(file, size);
      else await results.#endLine(rest);
      return results;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** How many of the rows are failures. */
  get failed(): number {
    return this.#failed;
  }

  async #learn(signal: AbortSignal): Promise<void> {
    if (this.#size === 0) return;
    const rows = createReadStream(this.path, { encoding: "utf8", end: this.#size - 1, signal });
    let number = 0;
    for await (const line of boundedLines(rows, MAX_ROW)) {
      number++;
      const row = knownRow(line);
      if (!row) throw noResults(this.path, `line ${number} is not a result`);
      if (this.keys.has(row.key)) throw noResults(this.path, `line ${number} is a second result of one job`);
      this.#count(row);
    }
  }

  /** The row of a last line that lacks nothing but its end, as an editor leaves it. Throws `invalid_params` for one that is no row's beginning. */
  #restOf(size: number): { key: string; ok: boolean } | undefined {
    const length = fstatSync(this.#file).size - size;
    if (length === 0) return undefined;
    const bytes = Buffer.alloc(Math.min(length, MAX_ROW));
    readSync(this.#file, bytes, 0, bytes.length, size);
    const text = bytes.toString("utf8");
    if (length > MAX_ROW || !text.startsWith("{")) throw noResults(this.path, "its last line is not a result");
    const row = knownRow(text);
    if (row && this.keys.has(row.key)) throw noResults(this.path, "its last line is a second result of one job");
    return row;
  }

  async #endLine(row: { key: string; ok: boolean }): Promise<void> {
    await writeBytes(this.#file, Buffer.from("\n"));
    this.#size = fstatSync(this.#file).size;
    this.#count(row);
  }

  /** Resolves when the row is written: who waits for that does not run ahead of a slow disk. Throws `too_large` on a full one. */
  async add(row: ResultRow): Promise<void> {
    this.#last = this.#last.then(async () => await this.#write(row));
    await this.#last;
  }

  async #write(row: ResultRow): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(row)}\n`);
    try {
      for (let at = 0; at < bytes.length; ) at += (await writeBytes(this.#file, bytes, at)).bytesWritten;
    } catch (error) {
      // What is left is whole rows.
      ftruncateSync(this.#file, this.#size);
      throw DISK_FULL.has(errorCode(error)) ? diskFull(`Cannot write "${this.path}"`, error) : error;
    }
    this.#size += bytes.length;
    this.#count(row);
  }

  #count({ key, ok }: { key: string; ok: boolean }): void {
    this.keys.add(key);
    if (!ok) this.#failed++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whoever added the row has learned why it could not be.
    await this.#last.catch(() => undefined);
    closeSync(this.#file);
    if (this.#size === 0) removeOwnFile(this.path);
  }
}

/** Never in the place of what is there. */
function opened(path: string): number {
  try {
    return openKeptToAppend(path);
  } catch (error) {
    if (error instanceof NotOurs) throw noResults(path, error.reason);
    if (["EACCES", "EPERM"].includes(errorCode(error))) throw noResults(path, "it may not be written to");
    throw error;
  }
}

/** Bytes up to the last line's end. */
function wholeSize(file: number): number {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let end = fstatSync(file).size; end > 0; end -= CHUNK) {
    const start = Math.max(0, end - CHUNK);
    const read = readSync(file, chunk, 0, end - start, start);
    const last = chunk.subarray(0, read).lastIndexOf(LINE_FEED);
    if (last !== -1) return start + last + 1;
  }
  return 0;
}

function knownRow(line: string | undefined): { key: string; ok: boolean } | undefined {
  try {
    const parsed = v.safeParse(KnownSchema, JSON.parse(line ?? ""));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

function noResults(path: string, why: string): BrowseError {
  return new BrowseError("invalid_params", `"${basename(path)}" is not a file of results: ${why}`, {
    hint: "Give --resume the file that an earlier run with --each has named",
  });
}
