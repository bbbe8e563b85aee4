/** The texts in a result that may be a page's. */

/** No order fits into less. Characters. */
const MIN_LENGTH = 16;
/** Of all texts of a result together; nobody reads as much at once. Characters. */
const MAX_ALL = 200_000;
const MAX_DEPTH = 64;

/** Members whose words are ours, or a standard's. */
const OURS = /^(?:role|ref|kind|type|clickable|hidden|markup|time|method|outcome|level|position|format|effect)$/;

/** Each text of some length, once, in their order, until there are too many of them. */
export function pageTexts(value: unknown): string[] {
  const texts = new Set<string>();
  visit(value, MAX_ALL, (text, name) => {
    if (text.length >= MIN_LENGTH && !OURS.test(name)) texts.add(text);
  });
  return [...texts];
}

/** All texts, in their order, as one. */
export function joinedTexts(value: unknown): string {
  const texts: string[] = [];
  visit(value, MAX_ALL, (text, name) => {
    if (!OURS.test(name)) texts.push(text);
  });
  return texts.join("\n").slice(0, MAX_ALL);
}

/** A copy with others in the place of its texts; `name` is that of the member that holds it, or the list it is in. */
export function withTexts<T>(value: T, replace: (text: string, name: string) => string, name = ""): T {
  if (typeof value === "string") return replace(value, name) as T;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replace, name)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member, replace, key)])) as T;
}

function visit(root: unknown, room: number, take: (text: string, name: string) => void): void {
  let left = room;
  const into = (value: unknown, name: string, depth: number): void => {
    if (left <= 0 || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      left -= value.length;
      take(value, name);
    } else if (Array.isArray(value)) {
      for (const item of value) into(item, name, depth + 1);
    } else if (value !== null && typeof value === "object") {
      for (const [key, member] of Object.entries(value)) into(member, key, depth + 1);
    }
  };
  into(root, "", 0);
}
