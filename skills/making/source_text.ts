/** Text of a page, or of a call, put into the source of a script: as a string, as words of a comment, as a name. */

const MAX_COMMENT = 60;
const RESERVED: ReadonlySet<string> = new Set(
  "break case catch class const continue default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await async args browse main on".split(
    " ",
  ),
);

/** A string literal. Line separators end a comment, and in JSON they are as they are. */
export function literal(text: string): string {
  const json = JSON.stringify(text.toWellFormed()).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  if (!json.includes('\\"') || /['\\]/.test(json.slice(1, -1).replaceAll('\\"', ""))) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** One piece of a template literal. */
export function templatePiece(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** What a line of a comment may hold: nothing that ends it, and nothing that ends a block either. */
export function commentText(text: string): string {
  const words = text
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, " ")
    .replaceAll("*/", "* /")
    .replace(/ +/g, " ")
    .trim();
  return words.length > MAX_COMMENT ? `${words.slice(0, MAX_COMMENT).toWellFormed()}…` : words;
}

/** `addToCart`, not one of those taken; `fallback` where the text has no letters that can be part of a name. */
export function nameFrom(text: string, fallback: string, taken: ReadonlySet<string>): string {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z][a-z0-9]*/g)
      ?.slice(0, 3) ?? [];
  const [first = fallback, ...rest] = words;
  const name = [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("").slice(0, 40);
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${name}${count}`;
    if (!taken.has(tried) && !RESERVED.has(tried)) return tried;
  }
}
