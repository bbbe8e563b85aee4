/** A canary as it looks in each of the encodings that it is known in. */

export type CanaryEncoding =
  | "plain"
  | "split"
  | "escaped"
  | "reversed"
  | "rot13"
  | "hex"
  | "decimal"
  | "base64"
  | "pieces";

/** One look of it, as the numbers of its letters and digits: nothing else is in any of them. */
export interface Needle {
  encoding: CanaryEncoding;
  codes: Uint8Array;
  /** Where each character of the canary begins in `codes`, and where the last one ends: in base64, within a letter. */
  starts: readonly number[];
  isReversed?: true;
}

/** Those in which case means nothing, and those in which it does. */
export interface Needles {
  folded: readonly Needle[];
  cased: readonly Needle[];
}

/** Values of `codesOf`: digits, lower case, upper case. */
export const LETTERS = 62;
const NONE = 255;
const CODE_OF_UNIT = codeTable("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** The number of each letter and digit (ASCII) of a text, without all that is between them. */
export function codesOf(text: string): Uint8Array {
  const codes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = CODE_OF_UNIT[text.charCodeAt(at)] ?? NONE;
    if (code !== NONE) codes[length++] = code;
  }
  return codes.subarray(0, length);
}

/** Upper case as lower case. */
export function foldedCodes(codes: Uint8Array): Uint8Array {
  return codes.map((code) => (code < 36 ? code : code - 26));
}

/** Of a value of lower-case letters and digits. */
export function needlesOf(value: string): Needles {
  const upper = value.toUpperCase();
  const reversed = { ...byCharacter("reversed", [...value].reverse()), isReversed: true } as const;
  return {
    folded: [
      byCharacter("plain", [...value]),
      reversed,
      byCharacter("rot13", [...value].map(rotated)),
      ...[value, upper].map((text) =>
        byCharacter(
          "hex",
          [...text].map((character) => codeOf(character).toString(16)),
        ),
      ),
      ...[value, upper].map((text) =>
        byCharacter(
          "decimal",
          [...text].map((character) => String(codeOf(character))),
        ),
      ),
    ],
    cased: [value, upper].flatMap((text) => [0, 1, 2].map((before) => base64Needle(text, before))),
  };
}

function byCharacter(encoding: CanaryEncoding, parts: readonly string[]): Needle {
  const starts = [0];
  for (const part of parts) starts.push((starts.at(-1) ?? 0) + part.length);
  return { encoding, codes: codesOf(parts.join("")), starts };
}

/** As it stands after so many bytes of something else, without the letters at its ends that hold bits of other bytes. */
function base64Needle(value: string, before: number): Needle {
  const whole = Buffer.from("\0".repeat(before) + value).toString("base64");
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + value.length) * 8) / 6);
  const starts = Array.from({ length: value.length + 1 }, (_, at) => ((before + at) * 8) / 6 - first);
  return { encoding: "base64", codes: codesOf(whole.slice(first, end)), starts };
}

function rotated(character: string): string {
  if (!/[a-z]/.test(character)) return character;
  return String.fromCharCode(((codeOf(character) - 97 + 13) % 26) + 97);
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

function codeTable(letters: string): Uint8Array {
  const table = new Uint8Array(128).fill(NONE);
  for (const [code, letter] of [...letters].entries()) table[codeOf(letter)] = code;
  return table;
}
