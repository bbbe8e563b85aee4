/**
 * A mark woven into text that a page says: whoever reads it is told at every turn that these are a page's words, and text
 * that comes back with the mark was read, not thought.
 */
import { createHmac, randomBytes } from "node:crypto";
import { unescapedForms } from "./escapes.ts";

/** Shorter text stands as it is: it is seen at once that it is a page's. Characters. */
const LONG = 500;
/** Between two marks. */
const WORDS = 40;
/** The same, where words are not parted by spaces. Characters. */
const UNPARTED = 200;

/** Of this daemon: nobody else can tell what marks it gives. */
const KEY = randomBytes(32);
const SHAPE = { length: 4, radix: 36 };

/** `^k7f2^`: the same for the same holder as long as the daemon lives. */
export function markerFor(holder: string): string {
  const number = createHmac("sha256", KEY).update(holder).digest().readUInt32BE() % SHAPE.radix ** SHAPE.length;
  return `^${number.toString(SHAPE.radix).padStart(SHAPE.length, "0")}^`;
}

/** A gap between two words of running text, or what parts sentences where words are not parted. */
const GAPS = /(?<=[\p{L}\p{N},;.]) (?=[\p{L}\p{N}])|(?<=[。！？、，；])(?=[\p{L}\p{N}])/gu;

/**
 * Long text with the marker after about every forty words, never at the beginning of a line, where it might mean something.
 * Takes time in proportion to the text's length.
 */
export function weave(text: string, marker: string): string {
  if (text.length < LONG) return text;
  let words = 0;
  let markedAt = 0;
  return text.replace(GAPS, (gap: string, at: number) => {
    if (gap !== "") words++;
    const isDue = words >= WORDS || (gap === "" && at - markedAt >= UNPARTED);
    if (!isDue) return gap;
    words = 0;
    markedAt = at;
    return ` ${marker} `;
  });
}

/** Does the text have the marker, as it is, escaped, or in base64? */
export function carries(text: string, marker: string): boolean {
  const looks = looksOf(marker);
  return unescapedForms(text).some(
    (form) => form.toLowerCase().includes(marker) || looks.some((look) => form.includes(look)),
  );
}

/** Base64 after none, one and two bytes of something else, without the letters that depend on those. */
function looksOf(marker: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.from("\0".repeat(before) + marker).toString("base64");
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + marker.length) * 8) / 6));
  });
}
