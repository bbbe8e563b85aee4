/** What is hidden in the build of a text, whatever it says: characters that nobody sees, and marks that nobody may forge. */

export type FindingKind =
  | "tag-characters"
  | "variation-selectors"
  | "zero-width-run"
  | "zero-width"
  | "bidi-override"
  | "bidi-control"
  | "invisible"
  | "control"
  | "lone-surrogate"
  | "envelope-mark"
  | "hidden-markup"
  | "hidden-mark";

export interface HiddenText {
  kind: FindingKind;
  count: number;
  /** 0 to 1: how seldom such a thing is meant well. */
  score: number;
  /** What a hidden text says, where that can be told; cut at 120 characters. */
  says?: string;
}

export const HIDDEN_WORDS: Readonly<Record<FindingKind, string>> = {
  "tag-characters": "tag characters, which nobody sees",
  "variation-selectors": "runs of variation selectors, which carry hidden bytes",
  "zero-width-run": "runs of zero-width characters",
  "zero-width": "zero-width characters inside words",
  "bidi-override": "characters that turn the reading direction round",
  "bidi-control": "characters that control the reading direction",
  invisible: "invisible characters",
  control: "control characters",
  "lone-surrogate": "halves of characters",
  "envelope-mark": "forged marks around page content",
  "hidden-markup": "elements that hide their text",
  "hidden-mark": "lines that a snapshot marks as hidden",
};

interface Check {
  kind: FindingKind;
  score: number;
  find: (text: string) => readonly string[];
  /** The hidden text of one of them. */
  decode?: (found: string) => string;
}

const MAX_SAYS = 120;
/** Longer tags are not looked into, and no more of what a tag hides. Characters. */
const MAX_MARKUP = 2_000;

const CHECKS: readonly Check[] = [
  { kind: "tag-characters", score: 0.95, find: tagRuns, decode: fromTags },
  // One selector after a character is how emoji and ideographs choose their form, two are a slip; a run of them carries bytes.
  {
    kind: "variation-selectors",
    score: 0.9,
    find: matching(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu),
    decode: fromSelectors,
  },
  // The mark around page content: text that brings its own would end it early.
  { kind: "envelope-mark", score: 0.9, find: matching(/[\u27e6\u301a][\s\p{Cf}]{0,9}\/?[\s\p{Cf}]{0,9}page\b/giu) },
  { kind: "zero-width-run", score: 0.8, find: matching(/[\u200b-\u200d\u2060\ufeff\u180e]{3,}/gu) },
  { kind: "bidi-override", score: 0.75, find: matching(/[\u202d\u202e]/gu) },
  { kind: "hidden-markup", score: 0.5, find: hiddenMarkup, decode: (hidden) => hidden },
  // Joiners belong between letters of scripts that join, and in emoji: only those between Latin letters are told.
  {
    kind: "zero-width",
    score: 0.4,
    find: matching(/(?<=[\p{Script=Latin}\d])[\u200b-\u200d\u2060\ufeff]{1,2}(?=[\p{Script=Latin}\d])/gu),
  },
  // Tab, line feed and carriage return are text.
  { kind: "control", score: 0.4, find: matching(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu) },
  // As a snapshot marks what nobody could see.
  {
    kind: "hidden-mark",
    score: 0.4,
    find: matching(/^.*\shidden\([a-z-]+\)(?=\s|$)/gmu),
    decode: (line) => line.trim(),
  },
  {
    kind: "invisible",
    score: 0.3,
    find: matching(/\u034f|\u17b4|\u17b5|[\u00ad\u115f\u1160\u2061-\u2064\u206a-\u206f\u3164\uffa0]/gu),
  },
  { kind: "lone-surrogate", score: 0.3, find: matching(/\p{Surrogate}/gu) },
  { kind: "bidi-control", score: 0.2, find: matching(/[\u202a-\u202c\u2066-\u2069]/gu) },
];

/** All that is found, the worst first. Takes time in proportion to the text's length. */
export function findHidden(text: string): HiddenText[] {
  return CHECKS.flatMap(({ kind, score, find, decode }): HiddenText[] => {
    const found = find(text);
    if (found.length === 0) return [];
    const says = decode && plain(found.slice(0, MAX_SAYS).map(decode).join(" ")).slice(0, MAX_SAYS).toWellFormed();
    return [{ kind, count: found.length, score, ...(says && { says }) }];
  });
}

function matching(pattern: RegExp): (text: string) => readonly string[] {
  return (text) => text.match(pattern) ?? [];
}

/** A waving black flag, a region's name in tags, and the end tag are how emoji write England (UTS 51, annex C). */
const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;

function tagRuns(text: string): string[] {
  return (text.match(/\u{1f3f4}?[\u{e0000}-\u{e007f}]+/gu) ?? []).filter((run) => !FLAG.test(run));
}

function fromTags(run: string): string {
  const codes = [...run].map((tag) => tag.codePointAt(0) ?? 0).filter((code) => code >= 0xe0000);
  return codes.map((code) => String.fromCodePoint(code & 0x7f)).join("");
}

/** Bytes 0 to 15 by the first block, 16 to 255 by the second, as UTF-8. */
function fromSelectors(run: string): string {
  const bytes = [...run].map((selector) => {
    const code = selector.codePointAt(0) ?? 0;
    return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
  });
  return Buffer.from(bytes).toString("utf8");
}

const HIDING_STYLE =
  /style\s*=.*(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0*\.?0+(?![.\d]))/is;
const HIDING_ATTRIBUTE = /\s(?:hidden|aria-hidden\s*=\s*["']?true["']?)(?=[\s>=])/i;

/** The text right after each tag whose own attributes hide its element. */
function hiddenMarkup(text: string): string[] {
  const hidden: string[] = [];
  for (const { 0: tag, index } of text.matchAll(/<[a-z][^<>]{0,2000}>/gi)) {
    if (!HIDING_STYLE.test(tag) && !HIDING_ATTRIBUTE.test(tag)) continue;
    const after = text.slice(index + tag.length, index + tag.length + MAX_MARKUP).split("<", 1)[0] ?? "";
    if (/\p{L}/u.test(after)) hidden.push(after.trim());
  }
  return hidden;
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "");
}
