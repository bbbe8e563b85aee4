/** What a result is like: a line for each kind of member, so that two of them can be held against each other. */

const MAX_VALUES = 5_000;
const MAX_LINES = 300;
const MAX_DEPTH = 12;

/** `[].price: text with a number`, in order; of lists all items at once. */
export function valueShape(value: unknown): string[] {
  const lines = new Set<string>();
  const left = { values: MAX_VALUES };
  addShape(value, "result", { lines, left, depth: 0 });
  return [...lines].toSorted().slice(0, MAX_LINES);
}

interface Gathered {
  lines: Set<string>;
  left: { values: number };
  depth: number;
}

function addShape(value: unknown, path: string, gathered: Gathered): void {
  const { lines, left, depth } = gathered;
  if (left.values-- <= 0 || depth > MAX_DEPTH) return;
  const at = path;
  if (typeof value !== "object" || value === null) {
    lines.add(`${at}: ${kindOf(value)}`);
    return;
  }
  const inside = { ...gathered, depth: depth + 1 };
  if (Array.isArray(value)) {
    if (value.length === 0) lines.add(`${at}: nothing in it`);
    for (const item of value) addShape(item, `${at}[]`, inside);
    return;
  }
  for (const [name, member] of Object.entries(value)) addShape(member, `${at}.${name}`, inside);
}

function kindOf(value: unknown): string {
  if (typeof value !== "string") return value === null ? "null" : typeof value;
  if (value.trim() === "") return "empty text";
  return /\d/.test(value.slice(0, 2_000)) ? "text with a number" : "text";
}

/** Lines that only one of them has: `- result.fields.Total: text with a number`. */
export function shapeDiff(before: readonly string[], now: readonly string[]): string[] {
  const [old, fresh] = [new Set(before), new Set(now)];
  return [
    ...before.filter((line) => !fresh.has(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}
