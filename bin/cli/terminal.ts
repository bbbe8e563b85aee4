/** What the client reads and writes: written at once and whole, since the process ends right after. */
import { writeSync } from "node:fs";
import { Failure, USE_A_FILE } from "./failure.ts";

/** Exit code of a process that wrote into a pipe nobody reads: 128 + SIGPIPE. */
const BROKEN_PIPE = 141;

/** Writes all of `text` to stdout (1) or stderr (2). Ends the process when the reader of stdout has gone. */
export function print(file: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe that somebody else made non-blocking is full: give its reader a moment.
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (file === 1 && (code === "EPIPE" || code === "EOF")) process.exit(BROKEN_PIPE);
      else return;
    }
  }
}

/** Shows how far a long call is, on one line of a terminal that is written over; an empty text clears it. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) print(2, `\r\x1b[K${text}`);
}

/** All of standard input, which must be UTF-8. */
export async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  throw new Failure("Standard input is not UTF-8 text", USE_A_FILE, "invalid_params");
}
