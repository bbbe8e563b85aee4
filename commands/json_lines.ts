/** JSON as a person or an agent reads it: an item a line, without the spaces that make it twice as long. */

/** What is no longer than this is on one line. */
const SHORT = 120;
/** Lists and objects within each other that are given lines of their own. */
const DEPTH = 2;

/** Undefined for what JSON has no form of, such as a function. */
export function jsonLines(value: unknown, depth = DEPTH): string | undefined {
  const compact = JSON.stringify(value);
  if (compact === undefined || compact.length <= SHORT || depth === 0) return compact;
  if (Array.isArray(value)) return `[\n${value.map((item) => jsonLines(item, depth - 1) ?? "null").join(",\n")}\n]`;
  if (typeof value !== "object" || value === null || "toJSON" in value) return compact;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = jsonLines(member, depth - 1);
    return text === undefined ? [] : [`${JSON.stringify(key)}: ${text}`];
  });
  return `{\n${members.join(",\n")}\n}`;
}
