/** A question to whoever sits at the terminal. Bundled to `dist/ask.mjs`. */
import { createReadStream } from "node:fs";
import { print } from "./cli/terminal.ts";

/** What a person types at the terminal, wherever standard input comes from; rejects where there is none. */
export async function askPerson(question: unknown): Promise<unknown> {
  const terminal = createReadStream("/dev/tty", "utf8").on("open", () => print(2, `${question}`));
  // One line: the next are typed for somebody else.
  for await (const answer of terminal) return answer;
}
