/** Which parts of the page are read for what an action has changed: few, and each small enough. */
import { INLINE_ROLES, NAMED_FROM_CONTENT } from "../aria/role_table.ts";
import { computeRole } from "../aria/roles.ts";
import {
  attributeOf,
  childElementsOf,
  closestAcross,
  holdsMoreThan,
  isElement,
  parentNodeOf,
  parentOf,
  rectOf,
  tagOf,
} from "../dom/dom.ts";
import { overlaps, windowBox } from "../dom/geometry.ts";
import { LIVE, type Marks, outermost } from "./changed_marks.ts";

/** Parts of the page that are read, at most; and elements in each, beyond which its parts are taken by themselves. */
const MAX_REGIONS = 40;
export const MAX_INSIDE = 300;
/** Levels around a changed element that are looked at for the one whose line it is on, and elements in that. */
const MAX_LEVELS = 6;
const MAX_OWNED = 50;

/** Roles whose line says what is in them. */
const OWNERS: ReadonlySet<string> = new Set([
  ...NAMED_FROM_CONTENT,
  ..."alert status paragraph listitem term definition caption note blockquote log".split(" "),
]);

/** What is told first: what tells of itself, what is in the window, what has gone, all else. */
export const RANKS = { live: 0, inView: 1, gone: 2, elsewhere: 3 };
/** So many that are alike are a list that grew. */
const MIN_LIST = 6;

export interface Region {
  element: Element;
  /** Its own line is what has changed, and it is too large to be read for more. */
  isAlone: boolean;
  rank: number;
}

/** In the order of the page; and how many are left out. */
export function regionsOf(marks: Marks): { regions: Region[]; left: number } {
  const roots = [...marks.came, ...marks.instead.keys(), ...marks.moved].filter(isElement);
  const { ends, between } = endsOfLists(roots.flatMap(withOwner));
  const whole = new Set(ends);
  const alone = new Set<Element>();
  const owners = [...marks.texted].filter(isElement).map((holder) => ownerOf(holder) ?? holder);
  for (const element of [...owners, ...[...marks.changed].filter(isElement)])
    (holdsMoreThan(MAX_INSIDE, element) ? alone : whole).add(element);
  const found = [
    ...outermost(whole).map((element) => ({ element, isAlone: false, rank: rankOf(element) })),
    ...[...alone].map((element) => ({ element, isAlone: true, rank: rankOf(element) })),
  ];
  const first = new Set([...found].sort((a, b) => a.rank - b.rank).slice(0, MAX_REGIONS));
  return { regions: [...first].sort(byPlace), left: found.length - first.size + between };
}

/** What stands in a line of text is read with that. */
function withOwner(element: Element): Element[] {
  const parent = parentOf(element);
  const owner = parent && isInline(element) ? ownerOf(parent) : undefined;
  return owner ? [owner] : partsOf(element);
}

/** Of many that are alike and beside each other, the first and the last tell what they are. */
function endsOfLists(elements: readonly Element[]): { ends: Element[]; between: number } {
  const byParent = [...Map.groupBy(new Set(elements), parentNodeOf).values()];
  const lists = byParent.flatMap((siblings) => [
    ...Map.groupBy(siblings, (each) => `${tagOf(each)} ${attributeOf(each, "class") ?? ""}`).values(),
  ]);
  const ends = lists.flatMap((list) => (list.length < MIN_LIST ? list : [...list.slice(0, 1), ...list.slice(-1)]));
  return { ends, between: lists.flat().length - ends.length };
}

function rankOf(element: Element): number {
  if (closestAcross(element, LIVE)) return RANKS.live;
  return isInView(element) ? RANKS.inView : RANKS.elsewhere;
}

/** The element itself, or what is in it where that is too much to be read. */
function partsOf(element: Element): Element[] {
  const parts: Element[] = [];
  const queue = [element];
  for (let at = queue.shift(); at; at = queue.shift()) {
    const inside = childElementsOf(at);
    if (!holdsMoreThan(MAX_INSIDE, at) || inside.length === 0 || queue.length > MAX_INSIDE) parts.push(at);
    else queue.push(...inside);
  }
  return parts;
}

/** What has the line that the element's text is on; undefined when it has one of its own, or none is near. */
function ownerOf(element: Element): Element | undefined {
  let at: Element | undefined = element;
  for (let level = 0; at && level < MAX_LEVELS; level++, at = parentOf(at)) {
    if (holdsMoreThan(MAX_OWNED, at)) return undefined;
    if (OWNERS.has(computeRole(at) ?? "")) return at;
  }
  return undefined;
}

function isInline(element: Element): boolean {
  const role = computeRole(element);
  return (
    (role === undefined || role === "generic" || INLINE_ROLES.has(role)) &&
    getComputedStyle(element).display === "inline"
  );
}

function isInView(element: Element): boolean {
  return overlaps(rectOf(element), windowBox());
}

function byPlace({ element: a }: Region, { element: b }: Region): number {
  return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
