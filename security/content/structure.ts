/**
 * What in the build of a text speaks for its being written to steer an agent: who it speaks to, what it wants set aside,
 * how it is hidden. It knows nothing of what the text means; a text about such texts has all of that in quotes.
 */

import { disguisesOf } from "./disguises.ts";
import type { Finding } from "./finding.ts";
import { nameShown } from "./invisible.ts";
import {
  isCatcher,
  PATTERNS,
  REACH,
  SENTENCE_END,
  type Steer,
  type SteeringPattern,
  WEIGHTS,
} from "./steering_patterns.ts";
import { type FindingKind, findHidden, HIDDEN_WORDS, type HiddenText } from "./text_structure.ts";

/** What steers stands together. Characters. */
const WINDOW = 900;
/** Of one pattern in one text: more say no more. */
const MAX_HITS = 200;
const MAX_QUOTE = 80;
/** It says so only to those who see through how it is written. */
const DISGUISED = 0.55;
/** Something else of it is hidden. */
const HIDING = 0.4;
/** A name, label or title has no reason to say such a thing at all. */
const IN_NAME = 0.3;
/** Whoever talks to an agent, and says more than one thing of the kind, means it. */
const TALK: ReadonlySet<Steer> = new Set<Steer>(["override", "addressed", "secrecy", "pressure"]);
const TOGETHER = 0.32;
/** Of what stands in quotes or in code, and of what a text about attacks says. */
const MENTIONED = 0.35;
const MOST_MENTIONED = 0.5;
const MOST_ABOUT = 0.7;
/** Heads of patterns of hidden text that other layers, or the reader of markup, look for. */
const OF_OTHERS: ReadonlySet<FindingKind> = new Set<FindingKind>(["hidden-markup", "hidden-mark"]);

const ABOUT =
  /\b(?:prompt[- ]injections?|jailbreak(?:s|ing)|adversarial (?:prompts?|inputs?|attacks?)|red[- ]team(?:ing)?|attackers?|vulnerabilit(?:y|ies)|guardrails?)\b/i;
const QUOTES = /["“”„«»`'‘’「」『』]/;

interface Hit {
  steer: Steer;
  at: number;
  quote: string;
  isMentioned: boolean;
}

export interface StructureOptions {
  /** It is a name, label, title or the like: one line that somebody chose. */
  isName?: boolean;
}

/** The worst first. Takes time in proportion to the text's length. */
export function findStructure(text: string, options: StructureOptions = {}): Finding[] {
  const hidden = hiddenIn(text);
  const found = [...steering(text, hidden, options), ...hidden.map(hiddenFinding)];
  return found.sort((a, b) => b.score - a.score);
}

/** What in the words is built to steer: one finding, if any. */
export function findSteering(text: string, options: StructureOptions = {}): Finding[] {
  return steering(text, hiddenIn(text), options);
}

function hiddenIn(text: string): HiddenText[] {
  return findHidden(text).filter(({ kind }) => !OF_OTHERS.has(kind));
}

function hiddenFinding({ kind, count, score, says }: HiddenText): Finding {
  return { layer: "structure", score, says: `${count} × ${HIDDEN_WORDS[kind]}${says ? `: ${quoted(says)}` : ""}` };
}

function steering(text: string, hidden: readonly HiddenText[], { isName = false }: StructureOptions): Finding[] {
  const plain = hitsIn(text);
  const disguised = disguisesOf(text)
    .flatMap(hitsIn)
    .filter(({ steer }) => !plain.some((hit) => hit.steer === steer));
  const hits = [...plain, ...disguised];
  if (hits.length === 0) return [];
  const isHiding = hidden.some(({ score }) => score >= 0.4);
  const isDisguised = disguised.length > 0;
  const hiding = isDisguised ? [DISGUISED] : isHiding ? [HIDING] : [];
  const extra = [...hiding, ...(isName ? [IN_NAME] : [])];
  const { score, told } = worstOf(hits, extra);
  const most = hiding.length === 0 && ABOUT.test(text) ? MOST_ABOUT : 1;
  const says = told.map(({ steer, quote }) => `${WORDS[steer]} (${quoted(quote)})`).join(", ");
  return [{ layer: "structure", score: Math.min(score, most), says: isDisguised ? `in disguise: ${says}` : says }];
}

const WORDS: Readonly<Record<Steer, string>> = {
  marker: "a mark of chat protocols",
  override: "a call to set instructions aside",
  addressed: "words to an AI",
  secrecy: "a call to keep something from the user",
  task: "a new task",
  extraction: "a question for what the agent was told",
  pressure: "words to have something done unasked",
  boundary: "a forged end of what is quoted",
  host: "a host that catches requests",
};

function hitsIn(text: string): Hit[] {
  return PATTERNS.flatMap((pattern) => hitsOf(pattern, text)).sort((a, b) => a.at - b.at);
}

function hitsOf({ steer, head, near = [] }: SteeringPattern, text: string): Hit[] {
  const hits: Hit[] = [];
  for (const { 0: match, index: at } of text.matchAll(head)) {
    const after = near.length === 0 ? "" : sentenceFrom(text, at);
    if (steer === "host" ? !isCatcher(match) : !near.every((pattern) => pattern.test(after))) continue;
    const quote = near.length === 0 ? match : after;
    hits.push({ steer, at, quote, isMentioned: isMentioned(text, at, match.length) });
    if (hits.length >= MAX_HITS) break;
  }
  return hits;
}

function sentenceFrom(text: string, at: number): string {
  const [sentence = ""] = text.slice(at, at + REACH).split(SENTENCE_END, 1);
  return sentence;
}

/** Is it in quotes, or in code? Looked for close by: what opens a page's text does not quote all of it. */
function isMentioned(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  const after = text.slice(at + length, at + length + REACH);
  return QUOTES.test(before.slice(-2)) || (/["“„«`「『][^"”»`」』\n]{0,24}$/.test(before) && QUOTES.test(after));
}

/** Of all windows, the one in which most kinds stand together. */
function worstOf(hits: readonly Hit[], extra: readonly number[]): { score: number; told: Hit[] } {
  let worst = { score: 0, told: [] as Hit[] };
  const inside = new Map<Steer, Hit[]>();
  for (const hit of hits.toSorted((a, b) => a.at - b.at)) {
    inside.set(hit.steer, [...(inside.get(hit.steer) ?? []).slice(-3), hit]);
    const told = [...inside.values()].flatMap((same) => {
      const near = same.filter(({ at }) => at >= hit.at - WINDOW);
      return near.find(({ isMentioned }) => !isMentioned) ?? near[0] ?? [];
    });
    const score = together(told, extra);
    if (score > worst.score) worst = { score, told };
  }
  return worst;
}

/** As if each were a sign by itself. What is only mentioned weighs little, however much of it there is. */
function together(hits: readonly Hit[], extra: readonly number[]): number {
  const apart = hits.filter((hit) => !hits.some((other) => other !== hit && covers(other, hit)));
  const weights = apart.map(({ steer, isMentioned }) => WEIGHTS[steer] * (isMentioned ? MENTIONED : 1));
  const plain = apart.filter(({ isMentioned }) => !isMentioned);
  const isTalk = plain.length > 1 && plain.some(({ steer }) => TALK.has(steer));
  const score =
    1 - [...weights, ...extra, ...(isTalk ? [TOGETHER] : [])].reduce((doubt, weight) => doubt * (1 - weight), 1);
  return hits.every(({ isMentioned }) => isMentioned) ? Math.min(score, MOST_MENTIONED) : score;
}

/** The same words, which another pattern has taken for more. */
function covers(one: Hit, other: Hit): boolean {
  if (other.at < one.at || other.at >= one.at + one.quote.length) return false;
  const more = WEIGHTS[one.steer] - WEIGHTS[other.steer];
  return more > 0 || (more === 0 && one.quote.length > other.quote.length);
}

function quoted(text: string): string {
  const shown = nameShown(text);
  return JSON.stringify(shown.length > MAX_QUOTE ? `${shown.slice(0, MAX_QUOTE).toWellFormed()}…` : shown);
}
