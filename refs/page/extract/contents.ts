/** A table of contents, put before the page's content for as long as it takes to print it. */
import { attributeOf, body, fold, isRendered, queryAll, tagOf, textContentOf } from "../dom/dom.ts";
import type { ContentsEntry } from "./protocol.ts";

const { setAttribute, removeAttribute } = Element.prototype;

/** Headings of these levels are listed. */
const HEADINGS = "h1, h2, h3";
/** More would be a book of its own. */
const MAX_ENTRIES = 1_000;
/** Width kept free for a page number, so that filling it in moves nothing. */
const NUMBER_WIDTH = "3em";

interface Contents {
  host: HTMLElement;
  links: Map<string, { link: HTMLElement; number: HTMLElement }>;
  /** Headings that were given an id, with the one they had. */
  named: Map<Element, string | null>;
}

let present: Contents | undefined;

/** In the page's own tree: Chromium makes links of a PDF only from what is there. */
export function addContents(title: string): { entries: ContentsEntry[] } {
  removeContents();
  const named = new Map<Element, string | null>();
  const entries = queryAll(document, HEADINGS)
    .filter((heading) => isRendered(heading) && fold(textContentOf(heading) ?? "") !== "")
    .slice(0, MAX_ENTRIES)
    .map((heading, index) => ({
      level: Number(tagOf(heading).slice(1)),
      text: fold(textContentOf(heading) ?? ""),
      id: idOf(heading, index, named),
    }));
  const page = body();
  if (!page || entries.length === 0) {
    takeBackIds(named);
    return { entries: [] };
  }
  const host = box("div", { "break-after": "page", "font-family": "sans-serif", color: "#000" });
  host.append(textBox(title, { "font-size": "22px", "font-weight": "bold", "margin-bottom": "16px" }));
  const links = new Map<string, { link: HTMLElement; number: HTMLElement }>();
  const top = Math.min(...entries.map(({ level }) => level));
  for (const { level, text, id } of entries) {
    const row = linkRow(text, level - top);
    // Relative to the base address, whatever that is: only then it stays inside the document.
    setAttribute.call(row.link, "href", `#${encodeURIComponent(id)}`);
    links.set(id, row);
    host.append(row.link);
  }
  // Not in the body: one that lays its children out in columns would put it beside them.
  page.before(host);
  present = { host, links, named };
  return { entries };
}

/** How many entries are left. */
export function numberContents(pages: Readonly<Record<string, number>>): number {
  for (const [id, { link, number }] of present?.links ?? []) {
    const page = pages[id];
    if (page === undefined) link.remove();
    else number.textContent = String(page);
  }
  return present?.links.size ?? 0;
}

/** How many elements were changed back. */
export function removeContents(): number {
  if (!present) return 0;
  const { host, named } = present;
  host.remove();
  takeBackIds(named);
  present = undefined;
  return named.size + 1;
}

function takeBackIds(named: ReadonlyMap<Element, string | null>): void {
  for (const [heading, id] of named) {
    if (id === null) removeAttribute.call(heading, "id");
    else setAttribute.call(heading, "id", id);
  }
}

/** Its own when no other element has it, else one of ours: the second element of an id cannot be linked to. */
function idOf(heading: Element, index: number, named: Map<Element, string | null>): string {
  const own = attributeOf(heading, "id");
  if (own && queryAll(document, `#${CSS.escape(own)}`).length === 1) return own;
  const id = `browse-contents-${index + 1}`;
  setAttribute.call(heading, "id", id);
  named.set(heading, own);
  return id;
}

function linkRow(text: string, depth: number): { link: HTMLElement; number: HTMLElement } {
  const link = box("a", {
    display: "flex",
    "align-items": "baseline",
    "font-size": depth === 0 ? "14px" : "13px",
    "margin-left": `${depth * 18}px`,
    "margin-bottom": "6px",
    "break-inside": "avoid",
  });
  const words = textBox(text, { flex: "1 1 auto", "overflow-wrap": "anywhere" });
  const number = textBox("", { flex: "none", width: NUMBER_WIDTH, "text-align": "right" });
  link.append(words, number);
  return { link, number };
}

function textBox(text: string, styles: Readonly<Record<string, string>>): HTMLElement {
  const element = box("div", styles);
  element.textContent = text;
  return element;
}

/** Nothing of the page's own style reaches it. */
function box(tag: string, styles: Readonly<Record<string, string>>): HTMLElement {
  const element = document.createElement(tag);
  element.style.setProperty("all", "initial", "important");
  for (const [property, value] of Object.entries({ display: "block", ...styles })) {
    element.style.setProperty(property, value, "important");
  }
  return element;
}
