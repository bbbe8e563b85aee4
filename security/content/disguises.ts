/** What a text says to a reader who sees through how it is written: letters of another script, spaces, digits, base64. */

/** Letters that look like Latin ones, and those. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аеорсухіјѕԁһԛԝвкмнтАВЕКМНОРСТУХІЈЅαοικνρτυχΑΒΕΗΙΚΜΝΟΡΤΥΧΖ"].map((letter, at) => [
    letter,
    [..."aeopcyxijsdhqwbkmhtABEKMHOPCTYXIJSaoiknptuxABEHIKMNOPTYXZ"][at] ?? letter,
  ]),
);
const MIXED = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/i;
const SPACED = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}] ){5,}[\p{L}\p{N}](?![\p{L}\p{N}])/u;
const DIGITS: Readonly<Record<string, string>> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t" };
/** A word with digits among its letters. */
const SPELLED = /(?<![\w-])(?=[0-9a-z']{2,30}(?![\w-]))(?:[a-z']{0,29}[013457]){1,10}[a-z']{0,29}/gi;
const LEAST_SPELLED = 4;
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
const MAX_ENCODED = 50;
const WORDS_OF_TEXT = /^[\p{L}\p{N}\p{P}\p{Zs}\s]{12,}$/u;
/** The grapheme joiner joins no letters. */
const INVISIBLE =
  /\u034f|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const HAS_INVISIBLE = new RegExp(INVISIBLE, "u");

/** Other readings of it; none where it is written as text is. */
export function disguisesOf(text: string): string[] {
  const readings: string[] = [];
  if (HAS_INVISIBLE.test(text)) readings.push(text.replace(INVISIBLE, visible));
  if (MIXED.test(text)) readings.push(text.replace(/[\u0370-\u04ff]/g, (letter) => LOOKALIKES[letter] ?? letter));
  if (SPACED.test(text)) readings.push(joined(text));
  if (spelledIn(text) >= LEAST_SPELLED) readings.push(text.replace(SPELLED, lettersOf));
  for (const [encoded] of [...text.matchAll(BASE64)].slice(0, MAX_ENCODED)) {
    const decoded = Buffer.from(encoded, "base64").toString("utf8");
    if (WORDS_OF_TEXT.test(decoded)) readings.push(decoded);
  }
  return readings;
}

/** Tags say what they are tags of. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xe001f ? String.fromCharCode(code & 0x7f) : "";
}

/** `I g n o r e   a l l`: more than one space parts words. */
function joined(text: string): string {
  return text
    .replace(/(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}]) (?=[\p{L}\p{N}](?:[^\p{L}\p{N}]|$))/gu, "")
    .replace(/ {2,9}/g, " ");
}

function spelledIn(text: string): number {
  return (text.match(SPELLED) ?? []).filter((word) => /[a-z]/i.test(word)).length;
}

function lettersOf(word: string): string {
  return /[a-z]/i.test(word) ? word.replace(/[013457]/g, (digit) => DIGITS[digit] ?? digit) : word;
}
