/** Characters that nobody sees, or that make a line look like another one: left out, or shown by their number. */

/** Marks of direction (UAX 9), line separators, spaces without width, old format controls, tags. */
const CHARACTERS =
  "\\u2028\\u2029\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const IN_NAMES = new RegExp(`[\\p{Cc}${CHARACTERS}]`, "gu");

/** Emoji, and the letters and marks of scripts that joiners belong to: of all but these. */
const JOINED = "[[\\p{L}\\p{M}]--[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]]";
const BEFORE = `(?:${JOINED}|\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)`;
const AFTER = `(?:${JOINED}|\\p{Extended_Pictographic})`;
/** Within a word (Persian), after a sign that takes a vowel away (Malayalam, Sinhala), or in an emoji made of several. */
const JOINER = `(?:(?<=\\p{M})[\\u200c\\u200d]|(?<=${BEFORE})[\\u200c\\u200d](?=${AFTER}))`;
/** A waving black flag, a region's name in tags, and the end tag are how emoji write England (UTS 51, annex C). */
const FLAG = "\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}";
const IN_TEXT = new RegExp(`(?<kept>${FLAG}|${JOINER})|[${CHARACTERS}\\u200c\\u200d]`, "gv");

const LINE_ENDS: ReadonlySet<string> = new Set(["\u2028", "\u2029"]);
/** One chooses the form of what it follows; more of them carry bytes. */
const SELECTOR_RUNS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;

/** What most text is. */
const PLAIN = /^[\0-\u0fff]*$/;

/** A name that stays on its line: of what is between words and lines in it, only joiners and variation selectors stay. */
export function nameShown(text: string): string {
  return text.replace(IN_NAMES, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return numbered(character);
  });
}

/** Text of several lines. Joiners stay where a script or an emoji needs them. */
export function textShown(text: string, show: (character: string) => string): string {
  if (PLAIN.test(text) && !text.includes("\u061c")) return text;
  return text.replace(IN_TEXT, (found, kept: string | undefined) => kept ?? show(found));
}

/**
 * The same as a person sees it: nothing of what is invisible is left. Ends of lines that only some readers know are shown by
 * their number, since the line goes on for the others. Of names that must not look alike, and of JSON, this is not the way.
 */
export function withoutInvisible(text: string): string {
  return textShown(text.replace(SELECTOR_RUNS, ""), (character) =>
    LINE_ENDS.has(character) ? numbered(character) : "",
  );
}

/** Text that follows a beginning of ours, whose further lines are none of ours. */
export function indented(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", "\n  ");
}

function numbered(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
