/** Adding lines to a file of ours, whatever its last writer was cut off at. */
import { appendFile, closeSync, fstatSync, fsync, readSync } from "node:fs";
import { promisify } from "node:util";
import { openToAppend } from "./own_file.ts";

const append = promisify(appendFile);
const sync = promisify(fsync);
const LINE_FEED = 10;

/**
 * Adds whole lines, each with its end, in one write; the file is made with mode 0600 if need be. `isDurable`: they outlast
 * a power cut. Throws `NotOurs`, and system errors: a part of the last line may be there then.
 */
export async function appendLines(path: string, bytes: Uint8Array, { isDurable = false } = {}): Promise<void> {
  const file = openToAppend(path);
  try {
    await append(file, endsInLine(file) ? bytes : Buffer.concat([Buffer.of(LINE_FEED), bytes]));
    if (isDurable) await sync(file);
  } finally {
    closeSync(file);
  }
}

/** False when the last line was torn, by a crash or a full disk: it is not to take the next one with it. */
function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === LINE_FEED;
}
