/** Which declaration wins for each property (CSS Cascading and Inheritance 5, 6.1). */
import { physicalName, type WritingDirection } from "./logical_properties.ts";
import type { Longhand, Source } from "./sources.ts";

export interface Winner {
  source: Source;
  declaration: Longhand;
}

export interface Outcome {
  /** By physical property name. */
  winners: ReadonlyMap<string, Winner>;
  /** `revert` and `revert-layer` that would have won: they hand over to what is below. */
  handedOver: ReadonlySet<Longhand>;
}

export interface CascadeOptions {
  writing: WritingDirection;
  /** The tree that the element itself is in: its style attribute belongs to it. */
  treeScope: number | undefined;
  /** Every property that `all` stands for. */
  allProperties: readonly string[];
}

interface Candidate extends Winner {
  rank: readonly number[];
  /** Of its layer among what is not important. */
  level: readonly number[];
}

/** `sources` in the order of `ownSources`. */
export function cascade(sources: readonly Source[], options: CascadeOptions): Outcome {
  const byProperty = new Map<string, Candidate[]>();
  const layers = layerRanks(sources);
  const scopes = scopeRanks(sources, options.treeScope);
  for (const [index, source] of sources.entries()) {
    const scope = scopes.get(source.treeScope ?? options.treeScope) ?? 0;
    for (const [position, { property, declaration }] of declaredBy(source, options).entries()) {
      const place = { layer: layers.get(source) ?? 0, scope, index, position };
      const rank = rankOf(source, declaration.important, place);
      const level = rankOf(source, false, { ...place, index: 0, position: 0 });
      const candidates = byProperty.get(property) ?? [];
      candidates.push({ source, declaration, rank, level });
      byProperty.set(property, candidates);
    }
  }
  const winners = new Map<string, Winner>();
  const handedOver = new Set<Longhand>();
  for (const [property, candidates] of byProperty) {
    const winner = strongest(candidates, handedOver);
    if (winner) winners.set(property, winner);
  }
  return { winners, handedOver };
}

/** Not a part of `all` (CSS Cascading and Inheritance 5, 3.2). */
const NOT_OF_ALL = new Set(["direction", "unicode-bidi"]);

function declaredBy(source: Source, options: CascadeOptions): { property: string; declaration: Longhand }[] {
  const known = new Set(options.allProperties);
  const declared = source.longhands.map((declaration) => ({
    property: canonicalName(declaration.name, known, options.writing),
    declaration,
  }));
  const all = source.longhands.find(({ name }) => name === "all");
  if (!all) return declared;
  const own = new Set(declared.map(({ property }) => property));
  const implied = options.allProperties.filter((name) => !own.has(name) && !NOT_OF_ALL.has(name));
  return [...implied.map((property) => ({ property, declaration: { ...all, name: property } })), ...declared];
}

/** One name for each property, however it is written. */
export function canonicalName(name: string, known: ReadonlySet<string>, writing: WritingDirection): string {
  if (name.startsWith("--")) return name;
  const physical = physicalName(name.toLowerCase(), writing);
  const modern = physical.replace(/^-webkit-/, "");
  return !known.has(physical) && known.has(modern) ? modern : physical;
}

interface Place {
  layer: number;
  scope: number;
  index: number;
  position: number;
}

const NORMAL_TIERS = { "user-agent": 0, user: 1, author: 3 } as const;
const IMPORTANT_TIERS = { author: 5, user: 6, "user-agent": 7 } as const;
const ATTRIBUTES_TIER = 2;
const ANIMATION_TIER = 4;
const TRANSITION_TIER = 8;

/** Compared number by number, the greatest wins: origin and importance, tree, style attribute, layer, order. */
function rankOf({ kind, origin }: Source, important: boolean, place: Place): number[] {
  const order = [place.index, place.position];
  if (kind === "transition") return [TRANSITION_TIER, ...order];
  if (kind === "animation") return [ANIMATION_TIER, ...order];
  if (kind === "attributes") return [ATTRIBUTES_TIER, ...order];
  // What is important counts the other way round for trees and layers, so that the inner and the lower can insist.
  const sign = important ? -1 : 1;
  const tier = important ? IMPORTANT_TIERS[origin] : NORMAL_TIERS[origin];
  return [tier, sign * place.scope, kind === "style-attribute" ? 1 : 0, sign * place.layer, ...order];
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first that does not hand over to what is below its origin or layer; undefined when all of them do. */
function strongest(candidates: readonly Candidate[], handedOver: Set<Longhand>): Winner | undefined {
  let left = candidates.toSorted((one, other) => compareRanks(other.rank, one.rank));
  for (let [first] = left; first; [first] = left) {
    const { source, declaration, level } = first;
    const keyword = declaration.value.toLowerCase();
    if (keyword !== "revert-layer" && keyword !== "revert") return { source, declaration };
    handedOver.add(declaration);
    left = left.filter((other) =>
      keyword === "revert" ? other.source.origin !== source.origin : compareRanks(other.level, level) < 0,
    );
  }
  return undefined;
}

/** The style attribute and animations count as layers of their own. */
function isSameLayer(one: Source, other: Source): boolean {
  return (
    one.kind === other.kind &&
    one.origin === other.origin &&
    one.treeScope === other.treeScope &&
    one.layer === other.layer
  );
}

/** Rules of one layer follow each other, and the layers' rules come in their order; those outside of all are last. */
function layerRanks(sources: readonly Source[]): ReadonlyMap<Source, number> {
  const ranks = new Map<Source, number>();
  let rank = 0;
  let before: Source | undefined;
  for (const source of sources) {
    if (before && !isSameLayer(before, source)) rank++;
    ranks.set(source, rank);
    before = source;
  }
  return ranks;
}

/** Trees in the order of their rules, which is from the inner to the outer ones; those without rules have no say. */
function scopeRanks(sources: readonly Source[], own: number | undefined): ReadonlyMap<number | undefined, number> {
  const seen = new Set(
    sources.filter(({ origin, kind }) => origin === "author" && kind === "rule").map(({ treeScope }) => treeScope),
  );
  seen.add(own);
  return new Map([...seen].map((scope, rank) => [scope, rank]));
}
