/** How an element is spoken of: the same role and name wherever it is met, in a snapshot, by a selector or by its ref. */
import { attributeOf, childElementsOf, fold, tagOf, textContentOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { Described } from "../protocol.ts";
import { isScriptedLink } from "./interactive.ts";
import type { Names, Route } from "./names.ts";

/** The role of things that were only found to be clickable. */
export const CLICKABLE = "clickable";

/** Longer names are cut, so that one node cannot fill an answer. Characters. */
const MAX_NAME = 10_000;
/** Enough of a nameless element's text to tell it from another. Characters. */
const MAX_EXCERPT = 80;

export class Describer {
  readonly names: Names;
  readonly #elements: Elements;

  constructor(elements: Elements, names: Names) {
    this.#elements = elements;
    this.names = names;
  }

  /** The role shown; undefined for what has none. */
  roleOf(element: Element): string | undefined {
    const role = this.names.reading.roleOf(element);
    if (!role && isScriptedLink(element, this.names.reading)) return "link";
    const hasRole = role && role !== "generic" && role !== "presentation";
    return hasRole ? role : this.#elements.clickable.has(element) ? CLICKABLE : undefined;
  }

  nameOf(element: Element, role: string | undefined): string {
    const name = role === CLICKABLE ? this.#labelOrContent(element) : this.names.nameOf(element);
    if (name) return cut(name);
    if (role === "link") return cut(this.#labelOrContent(element));
    if (role === "iframe") return cut(fold(attributeOf(element, "title") ?? attributeOf(element, "name") ?? ""));
    return "";
  }

  describe(element: Element): Described {
    const role = this.roleOf(element) ?? "generic";
    const name = this.nameOf(element, role);
    const described: Described = { n: this.#elements.numberOf(element), role, name, tag: tagOf(element) };
    const text = name ? "" : fold(this.names.excerpt(element, this.#insideRoute(), MAX_EXCERPT + 1));
    if (text) described.text = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
    return described;
  }

  /** Text that the element shows, by the rules for names. */
  contentOf(element: Element): string {
    return this.names.content(element, this.#insideRoute());
  }

  #insideRoute(): Route {
    return { visited: new Set(), place: "inside", through: "label", withHidden: false };
  }

  #labelOrContent(element: Element): string {
    const label = attributeOf(element, "aria-label");
    if (label?.trim()) return fold(label);
    return fold(this.contentOf(element)) || fold(attributeOf(element, "title") ?? "") || titleIn(element);
  }
}

/** What a shape in a picture is called. */
function titleIn(element: Element): string {
  const title = [...childElementsOf(element)].find((child) => tagOf(child) === "title");
  return title ? fold(textContentOf(title) ?? "") : "";
}

export function cut(text: string): string {
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
}
