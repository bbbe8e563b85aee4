/** A question to whoever sits at the terminal. Bundled to `dist/ask.mjs`. */
import { open } from "node:fs/promises";
import { print } from "./cli/terminal.ts";

/** What a person types at the terminal, wherever standard input comes from; rejects where there is none. */
export async function askPerson(question: unknown): Promise<unknown> {
  const terminal = await open("/dev/tty");
  try {
    print(2, `${question}`);
    // One read is one line. A stream would go on reading, and take the next answer, which is to another question.
    const { buffer, bytesRead } = await terminal.read();
    return bytesRead > 0 ? buffer.toString("utf8", 0, bytesRead) : undefined;
  } finally {
    await terminal.close();
  }
}
