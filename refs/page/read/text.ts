/** Text as a person reads it: lines where lines break, cells apart, and nothing that cannot be seen. */

import type { HiddenTexts } from "../../../security/content/hidden_text.ts";
import { HiddenCollector } from "../aria/hidden_texts.ts";
import { isIgnored, isTextPlaced, Reading } from "../aria/reading.ts";
import { isSummaryForDetails } from "../aria/roles.ts";
import { Visibility } from "../aria/visibility.ts";
import {
  elementMatches,
  flatChildrenOf,
  isElement,
  nodeTypeOf,
  rootElement,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { ElementId, Gone, Operations } from "../protocol.ts";
import { transformText } from "./text_transform.ts";
import { TextWriter } from "./text_writer.ts";

type TextAnswer = Operations["text"]["answer"];

export function text(elements: Elements, params: Partial<ElementId>): TextAnswer {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", text: "", frames: [] });
  const reader = new TextReader(elements, { asDrawn: true });
  reader.read(root);
  return { state: "here", text: reader.writer.finish(), frames: reader.frames, ...reader.hidden.answer() };
}

/** The element asked about, or the whole document. */
export function rootFor(elements: Elements, { doc, n }: Partial<ElementId>): Element | undefined {
  if (doc === undefined || n === undefined) return rootElement() ?? undefined;
  return elements.find({ doc, n });
}

/** What is said when there is no root: the element is gone, or the document has none. */
export function goneOr<Empty>(elements: Elements, { doc, n }: Partial<ElementId>, empty: Empty): Empty | Gone {
  return n === undefined ? empty : elements.gone({ doc: doc ?? elements.doc });
}

interface Texts {
  texts: string[];
  hidden?: HiddenTexts;
}

/** The text of each of these, in the letters that are written, looked at together: what is asked of the browser for one holds for the others. */
export function textsOf(elements: Elements, list: readonly Element[]): Texts {
  const reading = new Reading({ whole: true });
  const visibility = new Visibility(reading, { looksBeneath: true });
  const hidden = new HiddenCollector(reading, visibility);
  const texts = list.map((element) => {
    const reader = new TextReader(elements, { reading, visibility, hidden });
    reader.read(element);
    hidden.endText();
    return reader.writer.finish();
  });
  return { texts, ...hidden.answer() };
}

/** The text of one element alone, in the letters that are written, on as many lines as it takes. */
export function textOf(elements: Elements, element: Element): string {
  const reader = new TextReader(elements);
  reader.read(element);
  return reader.writer.finish();
}

interface TextOptions {
  reading?: Reading;
  visibility?: Visibility;
  hidden?: HiddenCollector;
  /** In the letters that `text-transform` makes of it; else as it is written, which is what data and values are. */
  asDrawn?: boolean;
}

class TextReader {
  readonly writer = new TextWriter();
  readonly frames: { n: number; at: number }[] = [];
  readonly hidden: HiddenCollector;
  readonly #elements: Elements;
  /** What is still to be done, the next at the end. */
  readonly #steps: (() => void)[] = [];
  readonly #reading: Reading;
  readonly #visibility: Visibility;
  readonly #asDrawn: boolean;

  constructor(elements: Elements, { reading, visibility, hidden, asDrawn = false }: TextOptions = {}) {
    this.#elements = elements;
    this.#reading = reading ?? new Reading({ whole: true });
    this.#visibility = visibility ?? new Visibility(this.#reading, { looksBeneath: true });
    this.hidden = hidden ?? new HiddenCollector(this.#reading, this.#visibility);
    this.#asDrawn = asDrawn;
  }

  /** Reads the element. Work is stacked here, not on the call stack: pages nest deeper than that. */
  read(element: Element): void {
    this.#visit(element);
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) step();
  }

  #visit(element: Element): void {
    if (isIgnored(element)) return;
    const { display } = this.#reading.styleOf(element);
    if (display === "none") return;
    const tag = tagOf(element);
    switch (tag) {
      case "br":
        this.writer.newline();
        return;
      case "iframe":
      case "frame":
        this.#addFrame(element);
        return;
      case "input":
        this.#addButtonText(element as HTMLInputElement);
        return;
      case "textarea":
      case "select":
      case "datalist":
        return;
      default:
        this.#surround(display, tag, element);
    }
  }

  #surround(display: string, tag: string, element: Element): void {
    if (display === "table-cell") {
      this.writer.beginCell();
      this.#steps.push(() => this.writer.endCell());
    } else {
      if (display === "table-row") this.writer.beginRow();
      const lines = linesAround(display, tag);
      const separate = () => (lines > 0 ? this.writer.breakLines(lines) : this.writer.space());
      if (lines > 0 || (display !== "inline" && display !== "contents")) {
        separate();
        this.#steps.push(separate);
      }
      if (tag === "a") {
        this.writer.beginLink();
        this.#steps.push(() => this.writer.endLink());
      }
    }
    this.#descend(element);
  }

  #descend(element: Element): void {
    const { pseudo } = this.#reading;
    const closed = element instanceof HTMLDetailsElement && !element.open;
    this.#add(pseudo.textOf(element, "::before"), element);
    const steps = [() => this.#add(pseudo.textOf(element, "::after"), element)];
    for (const child of flatChildrenOf(element).reverse()) {
      if (isElement(child)) {
        if (!closed || isSummaryForDetails(child)) steps.push(() => this.#visit(child));
      } else if (nodeTypeOf(child) === TEXT && isTextPlaced(child)) {
        steps.push(() => this.#add(textContentOf(child) ?? "", element));
      }
    }
    for (const step of steps) this.#steps.push(step);
  }

  #add(content: string, element: Element): void {
    if (content === "") return;
    if (!/\S/.test(content)) {
      if (this.#keepsSpaces(element) && this.#isSeen(element)) this.writer.preserve(content);
      else this.writer.space();
      return;
    }
    const reason = this.#visibility.hiddenReason(element);
    if (reason !== undefined && reason !== "aria-hidden") {
      this.hidden.add(element, content, reason);
      return;
    }
    this.hidden.endText();
    const shown = this.#transformed(content, element);
    if (this.#keepsSpaces(element)) this.writer.preserve(shown);
    else this.writer.add(shown);
  }

  #transformed(content: string, element: Element): string {
    if (!this.#asDrawn) return content;
    const { before } = this.writer;
    return transformText(content, this.#reading.styleOf(element).textTransform, { element, before });
  }

  #keepsSpaces(element: Element): boolean {
    return /^(pre|pre-wrap|pre-line|break-spaces)$/.test(this.#reading.styleOf(element).whiteSpace);
  }

  /** What only assistive technology is not told of is seen. */
  #isSeen(element: Element): boolean {
    const reason = this.#visibility.hiddenReason(element);
    return reason === undefined || reason === "aria-hidden";
  }

  #addFrame(frame: Element): void {
    if (!this.#isSeen(frame)) return;
    this.writer.breakLines(1);
    this.frames.push({ n: this.#elements.numberOf(frame), at: this.writer.length });
    this.writer.breakLines(1);
  }

  /** A button's text is its value, and no one types it. */
  #addButtonText(input: HTMLInputElement): void {
    if (!elementMatches(input, "[type=submit], [type=button], [type=reset]") || !this.#isSeen(input)) return;
    this.writer.space();
    const value = input.value || { submit: "Submit", reset: "Reset" }[input.type] || "";
    this.writer.add(this.#transformed(value, input));
    this.writer.space();
  }
}

/** Line breaks that an element's box puts before and after it; paragraphs stand apart. */
function linesAround(display: string, tag: string): number {
  if (/^(inline|contents|table-cell|table-column|table-column-group|ruby|none)/.test(display)) return 0;
  return /^(p|h[1-6]|blockquote|pre)$/.test(tag) ? 2 : 1;
}
