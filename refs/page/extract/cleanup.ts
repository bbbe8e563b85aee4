/** Clears a document of clutter, and gives it back. What people came for is never touched. */

import { attributeOf, body, elementMatches, has, includes, queryAll, rootElement, tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { Described } from "../protocol.ts";
import type { CleanupOperations, Cleared, ClutterKind } from "./cleanup_protocol.ts";
import { candidates, clutterKind, type Standing, textOf } from "./clutter.ts";

/** Share of the page's text from which an element is what people came for. */
const MAIN_SHARE = 0.4;
/** On pages with less text than this a share says nothing. Characters. */
const MIN_TEXT = 200;
/** Bars with these in them stay on the page: they are how people get around. */
const NAVIGATION = "nav,header,[role=navigation],[role=banner],[role=search]";
const MAIN = "main,[role=main]";

type Answer<Name extends keyof CleanupOperations> = CleanupOperations[Name]["answer"];

export function cleanupOperations(elements: Elements, describe: (element: Element) => Described) {
  const undo: (() => void)[] = [];
  return {
    cleanup: ({ kinds }: CleanupOperations["cleanup"]["params"]): Answer<"cleanup"> => {
      return { doc: elements.doc, ...new Cleaner(new Set(kinds), describe, undo).clean() };
    },
    undoCleanup: (): Answer<"undoCleanup"> => {
      const restored = undo.length;
      for (const restore of undo.splice(0).reverse()) restore();
      return { doc: elements.doc, restored };
    },
  };
}

/** What it does is undone by calling what it has put into `undo`, the last first. */
export class Cleaner {
  readonly #kinds: ReadonlySet<ClutterKind>;
  readonly #describe: (element: Element) => Described;
  readonly #undo: (() => void)[];
  readonly #pageText = textOf(body() ?? document.createElement("body")).length;
  readonly #cleared: Cleared[] = [];
  readonly #hidden: Element[] = [];
  #kept = 0;

  constructor(kinds: ReadonlySet<ClutterKind>, describe: (element: Element) => Described, undo: (() => void)[]) {
    this.#kinds = kinds;
    this.#describe = describe;
    this.#undo = undo;
  }

  clean(): { cleared: Cleared[]; kept: number } {
    for (const element of candidates()) this.#consider(element);
    // Who puts something over a page often keeps it from scrolling.
    if (this.#cleared.some(({ kind, how }) => how === "hidden" && kind !== "ads" && kind !== "social")) this.#unlock();
    return { cleared: this.#cleared, kept: this.#kept };
  }

  #consider(element: Element): void {
    if (this.#hidden.some((outer) => includes(outer, element))) return;
    const style = getComputedStyle(element);
    if (style.display === "none") return;
    let text: string | undefined;
    const standing: Standing = {
      element,
      style,
      get text() {
        text ??= textOf(element);
        return text;
      },
    };
    const kind = clutterKind(standing, this.#kinds);
    if (!kind) return;
    if (this.#isWanted(standing)) this.#kept++;
    else if (kind === "sticky" && (style.position === "sticky" || holds(element, NAVIGATION)))
      this.#unstick(kind, element, style);
    else this.#hide(kind, element);
  }

  /** What people came for, a form that asks who they are, or a bar that everything is in. */
  #isWanted({ element, text }: Standing): boolean {
    if (holds(element, MAIN) || holds(element, "input[type=password]")) return true;
    return this.#pageText >= MIN_TEXT ? text.length > MAIN_SHARE * this.#pageText : text.length > MIN_TEXT * MAIN_SHARE;
  }

  #hide(kind: ClutterKind, element: Element): void {
    this.#note(kind, "hidden", element);
    this.#hidden.push(element);
    // As long as a modal dialog is open, nothing else on the page can be reached, seen or not.
    if (element instanceof HTMLDialogElement && elementMatches(element, ":modal")) {
      HTMLDialogElement.prototype.close.call(element);
      this.#undo.push(() => HTMLDialogElement.prototype.showModal.call(element));
    }
    this.#set(element, { display: "none" });
  }

  /** Where it would stand if the page were not scrolled. */
  #unstick(kind: ClutterKind, element: Element, { position }: CSSStyleDeclaration): void {
    this.#note(kind, "unpinned", element);
    this.#set(element, { position: position === "sticky" ? "static" : "absolute" });
  }

  #unlock(): void {
    for (const element of [rootElement(), body()]) {
      if (!element) continue;
      const { overflowY, position } = getComputedStyle(element);
      if (overflowY !== "hidden" && overflowY !== "clip" && position !== "fixed") continue;
      this.#note("overlays", "unlocked", element);
      this.#set(element, { overflow: "auto", ...(position === "fixed" && { position: "static" }) });
    }
  }

  #note(kind: ClutterKind, how: Cleared["how"], element: Element): void {
    this.#cleared.push({ kind, how, element: this.#describe(element) });
  }

  #set(element: Element, wanted: Record<string, string>): void {
    const style = styleOf(element);
    if (!style) return;
    const hadStyle = has(element, "style");
    for (const [property, value] of Object.entries(wanted)) {
      const before = { value: style.getPropertyValue(property), priority: style.getPropertyPriority(property) };
      style.setProperty(property, value, "important");
      this.#undo.push(() => {
        // Not when the page has set it anew.
        if (style.getPropertyPriority(property) !== "important" || style.getPropertyValue(property) !== value) return;
        if (before.value === "") style.removeProperty(property);
        else style.setProperty(property, before.value, before.priority);
        if (!hadStyle && attributeOf(element, "style") === "") Element.prototype.removeAttribute.call(element, "style");
      });
    }
  }
}

function holds(element: Element, css: string): boolean {
  return elementMatches(element, css) || queryAll(element, css).length > 0 || tagOf(element) === "body";
}

const htmlStyle = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "style")?.get;
const svgStyle = Object.getOwnPropertyDescriptor(SVGElement.prototype, "style")?.get;

function styleOf(element: Element): CSSStyleDeclaration | undefined {
  if (element instanceof HTMLElement) return htmlStyle?.call(element) as CSSStyleDeclaration;
  return element instanceof SVGElement ? (svgStyle?.call(element) as CSSStyleDeclaration) : undefined;
}
