/** The rows and cards that controls of one role and name stand in: what is around each and holds no other of them. */
import { fold, includes, isRendered, parentOf, queryAll, textContentOf } from "../dom/dom.ts";

/** Controls that are told apart at once. */
export const MAX_TOLD = 1_000;
/** Levels up to a row. */
const MAX_LEVELS = 12;
/** Text nodes of a row that are looked at, and characters of what is told of it. */
const MAX_PIECES = 60;
const MAX_TEXT = 60;

const TEXTS = NodeFilter.SHOW_TEXT;
const { createTreeWalker } = Document.prototype;

const CONTROLS =
  "a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=menuitem], [tabindex]";

/** What the row or card says that each is in, beside its controls; nothing of those that have none of their own. */
export function rowTexts(alike: readonly Element[]): Map<Element, string> {
  if (alike.length > MAX_TOLD) return new Map();
  return new Map(
    [...rowsOf(alike)].flatMap(([element, row]): [Element, string][] => {
      const text = textIn(row, element, new Set(queryAll(row, CONTROLS)));
      return text === "" ? [] : [[element, text]];
    }),
  );
}

/** For each the largest element around it that holds no other of them; none where that is itself. */
export function rowsOf(alike: readonly Element[]): Map<Element, Element> {
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

/** What is in it beside controls, or, where it has nothing else, beside this one. */
export function textIn(row: Element, own: Element, controls: ReadonlySet<Element>): string {
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
