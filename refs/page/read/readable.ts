/**
 * The document as plain HTML that says what a person sees: shadow trees where they are drawn, hidden things, scripts and
 * styles left out, addresses absolute, and a mark where each frame's own document belongs.
 */

import { HiddenCollector } from "../aria/hidden_texts.ts";
import { isIgnored, isTextPlaced, Reading } from "../aria/reading.ts";
import { isSummaryForDetails } from "../aria/roles.ts";
import { Visibility } from "../aria/visibility.ts";
import {
  attributeOf,
  flatChildrenOf,
  has,
  isElement,
  namespaceOf,
  nodeTypeOf,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { HiddenReason, Operations } from "../protocol.ts";
import { goneOr, rootFor } from "./text.ts";

type Readable = Operations["readable"];

/** Elements whose meaning Markdown, or the search for the main content, can use; others are boxes or runs of text. */
const KEPT = new Set(
  (
    "a abbr address article aside b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure footer " +
    "h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike strong sub " +
    "summary sup table tbody td tfoot th thead time tr u ul var"
  ).split(" "),
);
/** A link has ended, and nothing has been said since. */
const AFTER_LINK = /<\/a>(?:<\/?span[^>]*>)*$/;
/** Characters of tags in which that is looked for. */
const MAX_TAGS = 300;
const VOID = new Set(["br", "hr", "img"]);
/** Their content is what a person has put in, not what the page says. */
const FIELDS = new Set([
  "input",
  "textarea",
  "select",
  "datalist",
  "progress",
  "meter",
  "object",
  "video",
  "audio",
  "canvas",
]);
/** Kept as they are; addresses and boxes apart. */
const ATTRIBUTES = ["alt", "title", "class", "id", "role", "colspan", "rowspan", "start", "lang", "dir", "datetime"];

export function readable(elements: Elements, params: Readable["params"]): Readable["answer"] {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", html: "", frames: [] });
  const writer = new ReadableWriter(elements);
  return { state: "here", html: writer.write(root), frames: writer.frames, ...writer.hidden.answer() };
}

class ReadableWriter {
  readonly frames: number[] = [];
  readonly #elements: Elements;
  readonly #reading = new Reading({ whole: true });
  readonly #visibility = new Visibility(this.#reading, { looksBeneath: true });
  readonly hidden = new HiddenCollector(this.#reading, this.#visibility);
  #html = "";

  constructor(elements: Elements) {
    this.#elements = elements;
  }

  /** What is left to do is stacked here, not on the call stack: pages nest deeper than that. Text is what to write. */
  write(root: Element): string {
    const left: (Node | string)[] = [root];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (typeof next === "string") this.#html += next;
      else if (isElement(next)) left.push(...this.#open(next));
      else if (nodeTypeOf(next) === TEXT) this.#addText(next);
    }
    return this.#html;
  }

  /** Writes the tag, and gives what is to be written after it, the next last. */
  #open(element: Element): (Node | string)[] {
    const tag = tagOf(element);
    if (isIgnored(element) || namespaceOf(element) !== "http://www.w3.org/1999/xhtml") return [];
    if (this.#reading.styleOf(element).display === "none") return [];
    if (tag === "iframe" || tag === "frame") return this.#addFrame(element);
    if (FIELDS.has(tag)) return this.#addField(element);
    const written = KEPT.has(tag) ? tag : this.#boxOf(element);
    if (tag === "img") return this.#addImage(element);
    const apart = this.#standsApart(element, tag) ? " " : "";
    this.#html += `${apart}<${written}${attributesOf(element, tag)}>`;
    if (VOID.has(tag)) return [];
    return [`</${written}>${apart}`, ...childrenOf(element).reverse()];
  }

  /** A picture that is in the page itself has no address worth reading, but may say something. */
  #addImage(image: Element): string[] {
    if (!this.#isSeen(image)) return [];
    const address = image instanceof HTMLImageElement ? image.currentSrc || image.src : "";
    const isElsewhere = /^(https?|file):/.test(address);
    this.#html += isElsewhere
      ? `<img${attributesOf(image, "img")} src="${escapeHtml(address)}">`
      : escapeHtml(attributeOf(image, "alt") ?? "");
    return [];
  }

  /** A box of its own in a line, such as a button, and a link right after another one. */
  #standsApart(element: Element, tag: string): boolean {
    if (/^inline-/.test(this.#reading.styleOf(element).display)) return true;
    return tag === "a" && AFTER_LINK.test(this.#html.slice(-MAX_TAGS));
  }

  #boxOf(element: Element): "div" | "span" {
    return /^(inline|contents)/.test(this.#reading.styleOf(element).display) ? "span" : "div";
  }

  #addText(text: Node): void {
    const parent = text.parentElement;
    if (!isTextPlaced(text)) return;
    const content = textContentOf(text) ?? "";
    const reason = parent ? this.#visibility.hiddenReason(parent) : undefined;
    if (parent && isHidden(reason)) {
      this.hidden.add(parent, content, reason);
      return;
    }
    if (/\S/.test(content)) this.hidden.endText();
    this.#html += escapeHtml(content);
  }

  /** A list of things to do says which are done. */
  #addField(field: Element): string[] {
    if (field instanceof HTMLInputElement && field.type === "checkbox" && this.#isSeen(field)) {
      this.#html += `<input type="checkbox"${field.checked ? " checked" : ""}>`;
    }
    return [];
  }

  #addFrame(frame: Element): string[] {
    if (!this.#isSeen(frame)) return [];
    const n = this.#elements.numberOf(frame);
    this.frames.push(n);
    this.#html += frameMark(n);
    return [];
  }

  /** What only assistive technology is not told of is seen. */
  #isSeen(element: Element): boolean {
    return !isHidden(this.#visibility.hiddenReason(element));
  }
}

function isHidden(reason: HiddenReason | undefined): reason is HiddenReason {
  return reason !== undefined && reason !== "aria-hidden";
}

/** No content of a page can look like it: text is escaped, and other elements are renamed. */
function frameMark(n: number): string {
  return `<browse-frame n="${n}"></browse-frame>`;
}

function childrenOf(element: Element): Node[] {
  const children = flatChildrenOf(element);
  const isClosed = element instanceof HTMLDetailsElement && !element.open;
  return isClosed ? children.filter((child) => isElement(child) && isSummaryForDetails(child)) : [...children];
}

function attributesOf(element: Element, tag: string): string {
  const values = ATTRIBUTES.filter((name) => has(element, name)).map((name) => [
    name,
    attributeOf(element, name) ?? "",
  ]);
  if (tag === "a" && element instanceof HTMLAnchorElement && /^(https?|mailto|tel|ftp|file):/.test(element.protocol)) {
    values.push(["href", element.href]);
  }
  return values.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join("");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
