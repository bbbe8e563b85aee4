/** From the nodes that an action has changed to what is to be told of them: what was rendered anew as it was is no change. */

import { isInteractive } from "../aria/interactive.ts";
import { isIgnored } from "../aria/reading.ts";
import { computeRole } from "../aria/roles.ts";
import {
  childNodesOf,
  closestAcross,
  ELEMENT,
  fold,
  isConnected,
  isElement,
  isOpaquelyRendered,
  nodeTypeOf,
  parentNodeOf,
  queryAll,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { type ChangedNodes, tellsTheSame } from "./changed_nodes.ts";
import type { HiddenBefore } from "./hidden_before.ts";
import { pairOff } from "./rerendered.ts";

/** What tells of itself: toasts, alerts, counters. */
export const LIVE = "[role=alert], [role=status], [role=log], output, [aria-live=polite], [aria-live=assertive]";

export interface Marks {
  /** Not there, or not to be seen, before; with all that is in them. */
  came: Set<Node>;
  /** What came in the place of something else, and that; with all that is in them. */
  instead: Map<Node, Node>;
  /** Controls that say what they said and are others, whose names the caller holds; of a few, as there are many of all. */
  renewed: Map<Element, Element>;
  /** By themselves, and not what is in them. */
  moved: Set<Node>;
  changed: Set<Node>;
  /** What holds text that has changed. */
  texted: Set<Node>;
  /** Not there, or not to be seen, any more. */
  gone: Node[];
}

interface Known {
  /** What the field holds is told already. */
  isAnswered: (field: Element) => boolean;
  /** Elements that the caller has heard of. */
  named: () => Element[];
  isNamed: (element: Element) => boolean;
}

export function marksOf(nodes: ChangedNodes, { isAnswered, named, isNamed }: Known): Marks {
  const { hidden } = nodes;
  const added = new Set([...nodes.added, ...hidden.shown()].filter((node) => isConnected(node) && !isUnread(node)));
  const { same, ...found } = replaced(outermost(added), seenBefore(nodes));
  const marks = { ...found, renewed: renewedAmong(same, isNamed), texted: new Set<Node>() };
  const isKnown = (node: Node) => isConnected(node) && !isIn(node, added);
  const moved = [...nodes.moved].filter(isKnown);
  const changed = [...nodes.changed, ...[...nodes.fields].filter((field) => !isAnswered(field))]
    .filter(isKnown)
    .map(lineBearer);
  for (const text of [...nodes.texts, ...moved, ...marks.came, ...marks.instead.keys(), ...saidAgain(same)]) {
    if (!isElement(text) && isConnected(text)) addTo(marks.texted, parentNodeOf(text));
  }
  const renamed = [...marks.texted].flatMap(labelledBy).filter((field) => !isAnswered(field));
  // What says something else now has a line that says so.
  for (const field of renamed) marks.renewed.delete(field);
  return {
    ...marks,
    moved: new Set(moved.filter(isElement)),
    changed: new Set([...changed, ...renamed]),
    gone: [...marks.gone, ...pagesBefore(nodes), ...outermost(new Set(nowHidden(nodes, named).filter(isKnown)))],
  };
}

/** A page that refuses once more for the same reason says the same: it is its answer. */
function saidAgain(same: readonly [now: Node, was: Node][]): Node[] {
  return same.map(([now]) => now).filter((now) => !isElement(now) && isInLive(parentNodeOf(now)));
}

function isInLive(holder: Node | null): boolean {
  return holder !== null && isElement(holder) && closestAcross(holder, LIVE) !== undefined;
}

/** The field that the text around names: its line is the one that has changed. */
function labelledBy(holder: Node): Element[] {
  const label = isElement(holder) ? closestAcross(holder, "label") : undefined;
  const { control = null } = (label ?? {}) as Partial<HTMLLabelElement>;
  return control ? [control] : [];
}

/** The node itself, or what it is in. */
export function isIn(node: Node, those: { has(node: Node): boolean; size: number }): boolean {
  if (those.size === 0) return false;
  for (let at: Node | null = node; at; at = parentNodeOf(at)) if (those.has(at)) return true;
  return false;
}

/** What was to be read of it, cut. Its styles are not to be had any more. */
export function textOnceIn(gone: Node, max: number, hidden: HiddenBefore): string {
  let text = "";
  const add = (node: Node): void => {
    if (text.length > max) return;
    if (nodeTypeOf(node) !== ELEMENT) text += `${textContentOf(node) ?? ""}`;
    else if (!isUnread(node) && !hidden.isOutermost(node as Element)) {
      for (const child of [...childNodesOf(node)].slice(0, max)) add(child);
      text += " ";
    }
  };
  add(gone);
  return fold(text).slice(0, max);
}

/** By parent, since what is rendered anew comes where it was. */
function replaced(
  came: readonly Node[],
  gone: readonly [node: Node, from: Node][],
): Pick<Marks, "came" | "instead" | "gone"> & { same: [now: Node, was: Node][] } {
  const to = Map.groupBy(came, parentNodeOf);
  const from = Map.groupBy(gone, ([, parent]) => parent);
  const all = { came: new Set<Node>(), instead: new Map<Node, Node>(), gone: [] as Node[], same: [] as [Node, Node][] };
  for (const parent of new Set<Node | null>([...to.keys(), ...from.keys()])) {
    const left = parent ? (from.get(parent) ?? []).map(([node]) => node) : [];
    const pairs = pairOff(to.get(parent) ?? [], left);
    for (const node of pairs.came) all.came.add(node);
    all.same.push(...pairs.renewed);
    for (const [now, was] of pairs.changed) {
      if (tellsTheSame(now, was)) all.same.push([now, was]);
      else all.instead.set(now, was);
    }
    all.gone.push(...pairs.gone);
  }
  return all;
}

/** More of them are a page that is drawn anew: a look tells them all. */
const MAX_RENEWED = 4;

/** Equals have the same elements in the same order. */
function renewedAmong(same: readonly [Node, Node][], isNamed: (element: Element) => boolean): Map<Element, Element> {
  const renewed = new Map<Element, Element>();
  for (const [now, was] of same) {
    if (!isElement(now) || !isElement(was)) continue;
    const others = [was, ...queryAll(was, "*")];
    for (const [index, element] of [now, ...queryAll(now, "*")].entries()) {
      const other = others[index];
      if (other && isNamed(other) && isInteractive(element, computeRole(element))) renewed.set(element, other);
      if (renewed.size > MAX_RENEWED) return new Map();
    }
  }
  return renewed;
}

/** What a document that was written anew held before. */
function pagesBefore({ removed }: ChangedNodes): Node[] {
  return [...removed].filter(([node, from]) => isElement(node) && from === document).map(([node]) => node);
}

function seenBefore({ removed, hidden }: ChangedNodes): [node: Node, from: Node][] {
  return [...removed].filter(([node, from]) => {
    if (isUnread(node) || !isConnected(from) || !isElement(from)) return false;
    return !hidden.has(from) && !(isElement(node) && hidden.isOutermost(node));
  });
}

/** Of what has another style itself, and of what is known, as a style around it, or for what the mouse is over, may hide it. */
function nowHidden({ restyled, hidden, isUntouched }: ChangedNodes, named: () => Element[]): Element[] {
  if (restyled.size === 0 && !isUntouched) return [];
  const wasHidden = (each: Element) => (isUntouched ? !hidden.wasSeen(each) : hidden.has(each));
  return [...restyled, ...named()].filter(
    (each) => tagOf(each) !== "option" && !isOpaquelyRendered(each) && !wasHidden(each),
  );
}

function isUnread(node: Node): boolean {
  return isElement(node) && isIgnored(node);
}

/** What a closed `details` shows of itself. */
function lineBearer(element: Element): Element {
  return tagOf(element) === "details" ? (queryAll(element, ":scope > summary")[0] ?? element) : element;
}

function addTo(those: Set<Node>, node: Node | null): void {
  if (node) those.add(node);
}

/** Those that are in no other of them. */
export function outermost<Each extends Node>(nodes: ReadonlySet<Each>): Each[] {
  return [...nodes].filter((node) => {
    const around = parentNodeOf(node);
    return !around || !isIn(around, nodes as ReadonlySet<Node>);
  });
}
