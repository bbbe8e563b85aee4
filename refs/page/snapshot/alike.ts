/** Controls of one role and name, as rows and cards have them: the text of the row tells which is which. */
import { fold, includes, isRendered, parentOf, textContentOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { ReadNode } from "../protocol.ts";

/** Controls that are told apart in one reading. */
const MAX_TOLD = 1_000;
/** Levels up to a row. */
const MAX_LEVELS = 12;
/** Text nodes of a row that are looked at, and characters of what is told of it. */
const MAX_PIECES = 60;
const MAX_TEXT = 60;

const TEXTS = NodeFilter.SHOW_TEXT;
const { createTreeWalker } = Document.prototype;

interface Listed {
  node: ReadNode;
  element: Element;
  /** Its place among the lines. */
  at: number;
}

/** Tells each what it is in, where no line before it says that. */
export function tellApart(nodes: readonly ReadNode[], elements: Elements): void {
  const listed = nodes.map((node) =>
    node.n === undefined ? undefined : elements.find({ doc: elements.doc, n: node.n }),
  );
  const operated = nodes.flatMap((node, at): Listed[] => {
    const element = listed[at];
    return element && (node.interactive || node.clickable) && node.role !== "option" ? [{ node, element, at }] : [];
  });
  const controls = new Set(operated.map(({ element }) => element));
  const alike = [...Map.groupBy(operated, ({ node }) => `${node.role} ${node.name}`).values()];
  for (const those of alike.filter(({ length }) => length > 1 && length <= MAX_TOLD)) {
    const rows = rowsOf(those.map(({ element }) => element));
    for (const { node, element, at } of those) {
      const row = rows.get(element);
      if (!row || isToldBefore(row, { nodes, listed, at })) continue;
      const text = textIn(row, element, controls);
      if (text !== "") node.within = text;
    }
  }
}

/** For each the largest element around it that holds no other of them; none where that is itself. */
function rowsOf(alike: readonly Element[]): Map<Element, Element> {
  const held = new Map<Element, number>();
  for (const element of alike)
    for (const around of levelsAround(element)) held.set(around, (held.get(around) ?? 0) + 1);
  const rows = new Map<Element, Element>();
  for (const element of alike) {
    const row = levelsAround(element).findLast((around) => held.get(around) === 1);
    if (row) rows.set(element, row);
  }
  return rows;
}

function levelsAround(element: Element): Element[] {
  const levels: Element[] = [];
  for (let at = parentOf(element); at && levels.length < MAX_LEVELS; at = parentOf(at)) levels.push(at);
  return levels;
}

interface Place {
  nodes: readonly ReadNode[];
  listed: readonly (Element | undefined)[];
  at: number;
}

/** A heading, a link or the like in the same row, right before it. */
function isToldBefore(row: Element, { nodes, listed, at }: Place): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const element = listed[i];
    if (!element || !includes(row, element)) return false;
    const isAlike = nodes[i]?.role === nodes[at]?.role;
    if (nodes[i]?.name !== "" && !isAlike) return true;
  }
  return false;
}

/** What is in it beside controls, or, where it has nothing else, beside this one. */
function textIn(row: Element, own: Element, controls: ReadonlySet<Element>): string {
  const walker = createTreeWalker.call(document, row, TEXTS);
  const said: string[] = [];
  const operated: string[] = [];
  for (let at = walker.nextNode(), seen = 0; at && seen < MAX_PIECES; at = walker.nextNode(), seen++) {
    const text = fold((textContentOf(at) ?? "").slice(0, 10 * MAX_TEXT));
    const parent = at.parentElement;
    if (text === "" || !parent || includes(own, parent) || !isRendered(parent)) continue;
    (isInOne(parent, row, controls) ? operated : said).push(text);
  }
  return fold((said.length > 0 ? said : operated).join(" ")).slice(0, MAX_TEXT);
}

function isInOne(element: Element, row: Element, controls: ReadonlySet<Element>): boolean {
  for (let at: Element | undefined = element; at && at !== row; at = parentOf(at)) if (controls.has(at)) return true;
  return false;
}
