/** The texts in a result that may be a page's. */

/** No order fits into less. Characters. */
const MIN_LENGTH = 16;
/** Of all texts of a result together; nobody reads as much at once. Characters. */
const MAX_ALL = 1_000_000;
const MAX_DEPTH = 64;

/** Members whose words are ours, or a standard's, as far as they are short: a page can name its own so, too. */
const MAX_OURS = 24;
const OURS =
  /^(?:role|ref|kind|type|clickable|hidden|markup|time|method|outcome|level|position|format|effect|element|property)$/;

/** Each text of some length, once, in their order, until there are too many of them. */
export function pageTexts(value: unknown): string[] {
  const texts = new Set<string>();
  visit(value, MAX_ALL, (text, name) => {
    if (text.length >= MIN_LENGTH && !isOurs(text, name)) texts.add(text);
  });
  return [...texts];
}

/** Does it hold but numbers and flags, and lists with nothing in them? */
export function isEmpty(result: Readonly<Record<string, unknown>>): boolean {
  return Object.values(result).every((member) => {
    if (typeof member === "string") return member === "";
    return typeof member !== "object" || member === null || Object.keys(member).length === 0;
  });
}

/** A single short word is a name, a unit or a state: many of them in a row are no language that a classifier knows. */
const MAX_WORD = 32;
/** What nobody sees counts in a word as well. */
const SINGLE_WORD = /^[\x21-\x7e]*$/;

/** All texts of more than a word, in their order, as one. */
export function joinedTexts(value: unknown): string {
  const texts: string[] = [];
  visit(value, MAX_ALL, (text, name) => {
    const isWord = text.length <= MAX_WORD && SINGLE_WORD.test(text);
    if (!isWord && !isOurs(text, name)) texts.push(text);
  });
  return texts.join("\n").slice(0, MAX_ALL);
}

/** What is ours at the beginning of a snapshot's line: how it has changed, its ref and its role. Bounded, so linear. */
const NOTATION = /^ {0,100}(?:[-+~] )?(?:@[ec]\d{1,9} )?\[[\w: -]{1,40}\]:? "(.*)"/gm;

/** As a reader takes it in: a page's words are judged alike, be they told as text or in the lines of a snapshot. */
export function withoutNotation(text: string): string {
  return text.replace(NOTATION, "$1");
}

/** A copy with others in the place of its texts; `name` is that of the member that holds it, or the list it is in. */
export function withTexts<T>(value: T, replace: (text: string, name: string) => string, name = ""): T {
  if (typeof value === "string") return replace(value, name) as T;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replace, name)) as T;
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([key, member]) => [
    key.length >= MIN_LENGTH ? replace(key, "") : key,
    withTexts(member, replace, key),
  ]);
  return Object.fromEntries(members) as T;
}

function isOurs(text: string, name: string): boolean {
  return text.length <= MAX_OURS && OURS.test(name);
}

function visit(root: unknown, room: number, take: (text: string, name: string) => void): void {
  let left = room;
  const into = (value: unknown, name: string, depth: number): void => {
    if (left <= 0) return;
    if (depth > MAX_DEPTH) into(JSON.stringify(value) ?? "", name, 0);
    else if (typeof value === "string") {
      left -= value.length;
      take(value, name);
    } else if (Array.isArray(value)) {
      for (const item of value) into(item, name, depth + 1);
    } else if (value !== null && typeof value === "object") {
      for (const [key, member] of Object.entries(value)) {
        if (key.length >= MIN_LENGTH) into(key, "", depth);
        into(member, key, depth + 1);
      }
    }
  };
  into(root, "", 0);
}
