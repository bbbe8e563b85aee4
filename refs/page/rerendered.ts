/** What a script has rendered anew: of what came and what went in its place, what is really another. */
import { childNodesOf, ELEMENT, nodeTypeOf, outerHtmlOf, tagOf, textContentOf } from "./dom.ts";

export interface Replaced {
  came: Node[];
  gone: Node[];
  /** What came in the place of something else, and that. */
  changed: Map<Node, Node>;
}

/** Of each side; what is beyond is told as it stands. */
const MAX_COMPARED = 500;
const MAX_LEVELS = 8;
/** Of an element's markup. Characters. */
const MAX_KEY = 20_000;

/** Both of one parent, in the order of the page. */
export function pairOff(came: readonly Node[], gone: readonly Node[], level = 0): Replaced {
  if (came.length === 0 || gone.length === 0) return { came: [...came], gone: [...gone], changed: new Map() };
  const { left, unmatched } = withoutEqual(came, gone);
  const all: Replaced = { came: [], gone: [], changed: new Map() };
  const rest = new Set(unmatched);
  for (const node of left) {
    const other = [...rest].find((each) => kindOf(each) === kindOf(node));
    if (!other) {
      all.came.push(node);
      continue;
    }
    rest.delete(other);
    const inside = compare(node, other, level);
    all.came.push(...inside.came);
    all.gone.push(...inside.gone);
    for (const [now, was] of inside.changed) all.changed.set(now, was);
  }
  all.gone.push(...rest);
  return all;
}

/** Where both hold elements, what differs is told of those. */
function compare(now: Node, was: Node, level: number): Replaced {
  const [inside, before] = [childrenOf(now), childrenOf(was)];
  const isLeaf = [inside, before].some((nodes) => !nodes.some((each) => nodeTypeOf(each) === ELEMENT));
  if (isLeaf || level >= MAX_LEVELS) return { came: [], gone: [], changed: new Map([[now, was]]) };
  return pairOff(inside, before, level + 1);
}

function withoutEqual(came: readonly Node[], gone: readonly Node[]): { left: Node[]; unmatched: Node[] } {
  const byKey = Map.groupBy(gone.slice(0, MAX_COMPARED), keyOf);
  const left = came.filter((node, index) => index >= MAX_COMPARED || !byKey.get(keyOf(node))?.shift());
  const unmatched = new Set([...byKey.values()].flat());
  return { left, unmatched: gone.filter((node, index) => index >= MAX_COMPARED || unmatched.has(node)) };
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

function keyOf(node: Node): string {
  const text = nodeTypeOf(node) === ELEMENT ? outerHtmlOf(node) : (textContentOf(node) ?? "");
  return text.slice(0, MAX_KEY);
}
