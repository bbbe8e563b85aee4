/** The linear member of the shipped model: a weight for each hashed n-gram of characters and words. */
import { readFile } from "node:fs/promises";
import type { RawMember } from "./scorer.ts";

interface NgramConfig {
  /** There are 2^bits weights. */
  bits: number;
  scale: number;
  bias: number;
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
const BASIS = 2166136261;
const PRIME = 16777619;
/** Code points of the shortest and the longest n-gram. */
const SHORTEST = 2;
const LONGEST = 5;

const encoder = new TextEncoder();
const OF_CHARACTERS = hash(encoder.encode("c"), BASIS);
const OF_WORDS = hash(encoder.encode("w"), BASIS);
const TOKENS = /[\p{L}\p{N}\p{M}]+|[^ ]/gu;

/** Reads 2^bits little-endian int16 numbers. Throws when there are more or fewer. */
export async function readNgramMember(path: string, { bits, scale, bias }: NgramConfig): Promise<RawMember> {
  const file = await readFile(path);
  if (file.length !== 2 ** (bits + 1)) throw new Error(`"${path}" has not the ${2 ** bits} weights that it is to have`);
  const weights = new Int16Array(2 ** bits);
  for (let index = 0; index < weights.length; index++) weights[index] = file.readInt16LE(index * 2);
  const buckets = new BucketSet(bits);
  return {
    async raw(windows) {
      return windows.map((window) => {
        fillBuckets(buckets, window);
        if (buckets.size === 0) return bias;
        return bias + (scale * buckets.sumOf(weights)) / Math.sqrt(buckets.size);
      });
    },
    close: async () => undefined,
  };
}

/** The distinct buckets of one window: cleared by a new mark, so that nothing is made for each. */
class BucketSet {
  readonly #marks: Uint32Array;
  readonly #found: number[] = [];
  readonly #mask: number;
  #mark = 0;

  constructor(bits: number) {
    this.#marks = new Uint32Array(2 ** bits);
    this.#mask = 2 ** bits - 1;
  }

  get size(): number {
    return this.#found.length;
  }

  clear(): void {
    this.#mark += 1;
    this.#found.length = 0;
  }

  add(state: number): void {
    const bucket = state & this.#mask;
    if (this.#marks[bucket] === this.#mark) return;
    this.#marks[bucket] = this.#mark;
    this.#found.push(bucket);
  }

  sumOf(weights: Int16Array): number {
    let sum = 0;
    for (const bucket of this.#found) sum += weights[bucket] ?? 0;
    return sum;
  }
}

function fillBuckets(buckets: BucketSet, window: string): void {
  buckets.clear();
  const text = window.toLowerCase();
  addCharacters(buckets, encoder.encode(text));
  addWords(buckets, text);
}

function addCharacters(buckets: BucketSet, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.length; start = nextCharacter(bytes, start)) {
    let state = OF_CHARACTERS;
    let at = start;
    for (let size = 1; size <= LONGEST && at < bytes.length; size++) {
      const end = nextCharacter(bytes, at);
      for (; at < end; at++) state = step(state, bytes[at] ?? 0);
      if (size >= SHORTEST) buckets.add(state);
    }
  }
}

/** Bytes that continue a character in UTF-8 begin with the bits 10. */
function nextCharacter(bytes: Uint8Array, index: number): number {
  let next = index + 1;
  while (next < bytes.length && ((bytes[next] ?? 0) & 0xc0) === 0x80) next += 1;
  return next;
}

function addWords(buckets: BucketSet, text: string): void {
  let before: number | undefined;
  for (const [token] of text.matchAll(TOKENS)) {
    const bytes = encoder.encode(token);
    const state = hash(bytes, OF_WORDS);
    buckets.add(state);
    if (before !== undefined) buckets.add(hash(bytes, hash(SPACE, before)));
    before = state;
  }
}

const SPACE = encoder.encode(" ");

function hash(bytes: Uint8Array, state: number): number {
  let next = state;
  for (const byte of bytes) next = step(next, byte);
  return next;
}

function step(state: number, byte: number): number {
  return Math.imul(state ^ byte, PRIME);
}
