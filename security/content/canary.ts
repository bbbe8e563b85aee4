/**
 * A value that nothing is meant to send anywhere: an agent has it among what it knows, so that whatever gets the agent
 * to give away what it knows gives this away as well. Here it is looked for, whole, in parts, and in other encodings.
 */
import { randomInt } from "node:crypto";
import { type CanaryEncoding, codesOf, foldedCodes, LETTERS, type Needle, needlesOf } from "./canary_needles.ts";
import { unescapedForms } from "./escapes.ts";

export type { CanaryEncoding } from "./canary_needles.ts";

/** Characters: 155 random bits. */
const LENGTH = 32;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
/** So many of its characters in a row are it. By chance they stand nowhere: 62 random bits. */
const LEAK = 12;
/** So many are a piece of it, of which those that were sent add up. */
const PIECE = 6;
/** So much of it in pieces is it. */
const ENOUGH = 0.75;
/** The beginning of a needle that is looked up. A run of `PIECE` in any encoding has one at every fourth place. */
const LOOKED_UP = 3;
const STEP = 4;
/** More of a text is not looked at: larger messages are not taken from clients either. Characters. */
const MAX_TEXT = 16_000_000;
/** Of what was sent before in the same place: the whole value fits in, in the longest of its encodings. */
const MAX_TAIL = 3 * LENGTH;
/** Places that are remembered. */
const MAX_PLACES = 100;

/** A text that is to be sent, and what the caller calls its place. */
export interface Outgoing {
  where: string;
  text: string;
}

export interface CanaryLeak {
  where: string;
  encoding: CanaryEncoding;
}

/** A part of the canary: from one of its characters to before another. */
interface Piece {
  from: number;
  to: number;
  encoding: CanaryEncoding;
}

/** Random, and to look at what opens something. */
export function newCanary(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

export class Canary {
  readonly value: string;
  readonly #folded: NeedleIndex;
  readonly #cased: NeedleIndex;
  /** Characters of it that were sent in pieces. Nothing of that is forgotten: who steals in pieces has time. */
  #sent: ReadonlySet<number> = new Set();
  /** The end of what was sent in each place, for what is typed key by key. */
  readonly #tails = new Map<string, string>();

  constructor(value = newCanary()) {
    this.value = value;
    const { folded, cased } = needlesOf(value);
    this.#folded = new NeedleIndex(folded);
    this.#cased = new NeedleIndex(cased);
  }

  /**
   * Where the canary is in what is to be sent at once; undefined when it may be sent, which is remembered. Takes time in
   * proportion to the length of the texts.
   */
  leakIn(texts: readonly Outgoing[]): CanaryLeak | undefined {
    const sent = new Set(this.#sent);
    for (const { where, text } of texts) {
      const pieces = this.#piecesIn(where, text.slice(0, MAX_TEXT));
      const whole = pieces.find(({ from, to }) => to - from >= LEAK);
      if (whole) return { where, encoding: whole.encoding };
      for (const { from, to } of pieces) for (let at = from; at < to; at++) sent.add(at);
      if (sent.size > this.#sent.size && sent.size >= ENOUGH * this.value.length) return { where, encoding: "pieces" };
    }
    this.#sent = sent;
    for (const { where, text } of texts) this.#remember(where, text);
    return undefined;
  }

  #piecesIn(where: string, text: string): Piece[] {
    const forms = unescapedForms(text);
    const pieces = forms.flatMap((form, round) => {
      const codes = codesOf(form);
      const folded = this.#folded.piecesIn(foldedCodes(codes));
      return [...folded.map((piece) => this.#named(piece, form, round)), ...this.#cased.piecesIn(codes)];
    });
    const tail = this.#tails.get(where);
    if (tail === undefined) return pieces;
    // Where it was sent before, only its end is new.
    const seam = codesOf(tail + forms[forms.length - 1]?.slice(0, MAX_TAIL));
    const overSeam = [...this.#folded.piecesIn(foldedCodes(seam)), ...this.#cased.piecesIn(seam)];
    return [...pieces, ...overSeam.map((piece) => ({ ...piece, encoding: "pieces" as const }))];
  }

  /** What a plain piece stood like. */
  #named(piece: Piece, form: string, round: number): Piece {
    if (piece.encoding !== "plain" || piece.to - piece.from < LEAK) return piece;
    if (round > 0) return { ...piece, encoding: "escaped" };
    const isWhole = form.toLowerCase().includes(this.value.slice(piece.from, piece.to));
    return isWhole ? piece : { ...piece, encoding: "split" };
  }

  #remember(where: string, text: string): void {
    const known = this.#tails.get(where) ?? "";
    const end = (known + text.slice(-MAX_TAIL).replace(/[^a-z0-9]/gi, "")).slice(-MAX_TAIL);
    this.#tails.delete(where);
    this.#tails.set(where, end);
    const [oldest] = this.#tails.keys();
    if (this.#tails.size > MAX_PLACES && oldest !== undefined) this.#tails.delete(oldest);
  }
}

/** Finds the longest runs that a text shares with needles, by their beginnings. */
class NeedleIndex {
  readonly #needles: readonly Needle[];
  /** By three codes: the needles that have them, and where. */
  readonly #places = new Map<number, [Needle, number][]>();
  readonly #isThere = new Uint8Array(LETTERS ** LOOKED_UP);

  constructor(needles: readonly Needle[]) {
    this.#needles = needles;
    for (const needle of this.#needles) {
      for (let at = 0; at + LOOKED_UP <= needle.codes.length; at++) {
        const key = keyAt(needle.codes, at);
        this.#places.set(key, [...(this.#places.get(key) ?? []), [needle, at]]);
        this.#isThere[key] = 1;
      }
    }
  }

  piecesIn(codes: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    for (let at = 0; at + LOOKED_UP <= codes.length; at += STEP) {
      const key = keyAt(codes, at);
      if (this.#isThere[key] === 0) continue;
      for (const [needle, place] of this.#places.get(key) ?? []) {
        const piece = pieceAround(codes, at, needle, place);
        if (piece.to - piece.from >= PIECE) pieces.push(piece);
      }
    }
    return pieces;
  }
}

function keyAt(codes: Uint8Array, at: number): number {
  return ((codes[at] ?? 0) * LETTERS + (codes[at + 1] ?? 0)) * LETTERS + (codes[at + 2] ?? 0);
}

/** The characters of the canary that are whole in what text and needle share around these places. */
function pieceAround(
  text: Uint8Array,
  at: number,
  { codes, starts, encoding, isReversed }: Needle,
  place: number,
): Piece {
  let before = 0;
  while (before < place && before < at && text[at - before - 1] === codes[place - before - 1]) before++;
  let after = LOOKED_UP;
  while (place + after < codes.length && text[at + after] === codes[place + after]) after++;
  const first = starts.findIndex((start) => start >= place - before);
  const last = starts.findLastIndex((start) => start <= place + after);
  const length = starts.length - 1;
  return isReversed ? { from: length - last, to: length - first, encoding } : { from: first, to: last, encoding };
}
