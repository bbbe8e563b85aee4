/** The lines of a text that comes in parts, however long they are: of one that is too long only that it was there. */

/** A line, or `undefined` for one of more than `maxLength` UTF-16 units. */
export async function* boundedLines(
  parts: AsyncIterable<string> | Iterable<string>,
  maxLength: number,
): AsyncGenerator<string | undefined> {
  let begun = "";
  let isTooLong = false;
  for await (const part of parts) {
    const lines = part.split("\n");
    for (const [index, line] of lines.entries()) {
      isTooLong ||= begun.length + line.length > maxLength;
      begun = isTooLong ? "" : begun + line;
      if (index === lines.length - 1) break;
      yield isTooLong ? undefined : begun.replace(/\r$/, "");
      begun = "";
      isTooLong = false;
    }
  }
  if (begun !== "" || isTooLong) yield isTooLong ? undefined : begun;
}
