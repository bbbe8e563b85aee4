/** What a script has rendered anew: of what came and what went in its place, what is really another. */
import { childNodesOf, ELEMENT, nodeTypeOf, outerHtmlOf, tagOf, textContentOf } from "../dom/dom.ts";

export interface Replaced {
  came: Node[];
  gone: Node[];
  /** What came in the place of something else, and that. */
  changed: Map<Node, Node>;
  /** What came in the place of its equal, and that. */
  renewed: Map<Node, Node>;
}

/** Of each side; what is beyond is told as it stands. */
const MAX_COMPARED = 500;
const MAX_LEVELS = 8;
/** Of an element's markup. Characters. */
const MAX_KEY = 20_000;

/** Both of one parent, in the order of the page. What is equal is no change; then the same text, and the same kind, belong together. */
export function pairOff(came: readonly Node[], gone: readonly Node[], level = 0): Replaced {
  const equal = matched(came, gone, markupOf);
  const alike = matched(equal.came, equal.gone, textOf);
  const kin = matched(alike.came, alike.gone, kindOf);
  const all: Replaced = { came: kin.came, gone: kin.gone, changed: new Map(), renewed: new Map(equal.pairs) };
  for (const [now, was] of [...alike.pairs, ...kin.pairs]) {
    const inside = compare(now, was, level);
    all.came.push(...inside.came);
    all.gone.push(...inside.gone);
    for (const pair of inside.changed) all.changed.set(...pair);
    for (const pair of inside.renewed) all.renewed.set(...pair);
  }
  return all;
}

/** Where both hold elements, what differs is told of those. */
function compare(now: Node, was: Node, level: number): Replaced {
  const [inside, before] = [childrenOf(now), childrenOf(was)];
  const isLeaf = [inside, before].some((nodes) => !nodes.some((each) => nodeTypeOf(each) === ELEMENT));
  if (isLeaf || level >= MAX_LEVELS) return { came: [], gone: [], changed: new Map([[now, was]]), renewed: new Map() };
  return pairOff(inside, before, level + 1);
}

interface Matched {
  pairs: [now: Node, was: Node][];
  came: Node[];
  gone: Node[];
}

/** Those that have the same key, in their order; and the others. */
function matched(came: readonly Node[], gone: readonly Node[], keyOf: (node: Node) => string): Matched {
  const left = { came: [...came], gone: [...gone], pairs: [] };
  if (came.length === 0 || gone.length === 0) return left;
  const byKey = Map.groupBy(gone.slice(0, MAX_COMPARED), keyOf);
  const pairs = came.slice(0, MAX_COMPARED).flatMap((now): Matched["pairs"] => {
    const was = byKey.get(keyOf(now))?.shift();
    return was ? [[now, was]] : [];
  });
  const taken = new Set(pairs.flat());
  return { pairs, came: came.filter((node) => !taken.has(node)), gone: gone.filter((node) => !taken.has(node)) };
}

function childrenOf(node: Node): Node[] {
  if (nodeTypeOf(node) !== ELEMENT) return [];
  return [...childNodesOf(node)].filter(
    (child) => nodeTypeOf(child) === ELEMENT || (textContentOf(child) ?? "").trim() !== "",
  );
}

function kindOf(node: Node): string {
  return nodeTypeOf(node) === ELEMENT ? tagOf(node) : "";
}

function markupOf(node: Node): string {
  const text = nodeTypeOf(node) === ELEMENT ? outerHtmlOf(node) : (textContentOf(node) ?? "");
  return text.slice(0, MAX_KEY);
}

function textOf(node: Node): string {
  return `${kindOf(node)} ${(textContentOf(node) ?? "").slice(0, MAX_KEY)}`;
}
