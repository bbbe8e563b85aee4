/** One reading of the document: what it has asked the browser so far, so that nothing is asked twice. */
import {
  attributeOf,
  baseUrl,
  closestOf,
  firstChildOf,
  flatParentOf,
  focusedElement,
  isElement,
  isOpaquelyRendered,
  isRendered,
  nextSiblingOf,
  nodeTypeOf,
  parentOf,
  queryAll,
  rootOf,
  shadowRootOf,
  slotOf,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import { baseOf } from "../dom/url.ts";
import { Facts, type Rendered } from "./facts.ts";
import { PseudoContent } from "./pseudo.ts";
import { computeRole } from "./roles.ts";

const NEVER_READ = new Set(["style", "script", "noscript", "template", "head", "meta", "link", "title", "base"]);

export class Reading {
  readonly pseudo: PseudoContent;
  readonly focused = focusedElement();
  readonly base = baseOf(baseUrl());
  readonly #facts = new Map<Element, Facts>();
  readonly #labels = new Map<Node, Map<Element, Element[]>>();

  /** `whole` for readings of a document, else of one element or a few. */
  constructor({ whole }: { whole: boolean }) {
    this.pseudo = new PseudoContent(!whole, (element) => this.rootOf(this.factsOf(element)));
  }

  factsOf(element: Element): Facts {
    let facts = this.#facts.get(element);
    if (!facts) {
      facts = new Facts(element);
      this.#facts.set(element, facts);
    }
    return facts;
  }

  /** The facts of an element whose parent in its own tree, where it is drawn too, is known already. */
  factsInside(parent: Facts, element: Element): Facts {
    const facts = this.factsOf(element);
    facts.parent = parent;
    facts.root ??= this.rootOf(parent);
    return facts;
  }

  /** The document or shadow root that it is in. */
  rootOf(facts: Facts): Node {
    facts.root ??= rootOf(facts.element);
    return facts.root;
  }

  /** The facts of the element it is drawn in; null at the top. */
  parentOf(facts: Facts): Facts | null {
    if (facts.parent === undefined) {
      const parent = flatParentOf(facts.element);
      facts.parent = parent ? this.factsOf(parent) : null;
    }
    return facts.parent;
  }

  /**
   * The element and those it is in that lack a fact, outermost first, so that what is inherited can be kept without
   * recursion: pages nest deeper than the stack is.
   */
  without(fact: "ariaHidden" | "ariaDisabled" | "clip" | "background" | "effects" | "isFixed", facts: Facts): Facts[] {
    const chain: Facts[] = [];
    for (let at: Facts | null = facts; at && at[fact] === undefined; at = this.parentOf(at)) chain.push(at);
    return chain.length > 1 ? chain.reverse() : chain;
  }

  styleOf(element: Element): CSSStyleDeclaration {
    return this.styleIn(this.factsOf(element));
  }

  styleIn(facts: Facts): CSSStyleDeclaration {
    facts.style ??= getComputedStyle(facts.element);
    return facts.style;
  }

  roleOf(element: Element): string | undefined {
    const facts = this.factsOf(element);
    if (facts.role === undefined) facts.role = computeRole(element) ?? null;
    return facts.role ?? undefined;
  }

  /** Hidden from assistive technology, and so no part of a name: not rendered, or `aria-hidden` somewhere above. */
  isHidden(element: Element): boolean {
    const facts = this.factsOf(element);
    facts.hidden ??= isIgnored(element) || !this.isShown(element) || this.isAriaHidden(element);
    return facts.hidden;
  }

  /** Whether the element has a box, and one that can be seen through entirely. */
  renderedAs(element: Element): Rendered {
    return this.renderingOf(this.factsOf(element));
  }

  renderingOf(facts: Facts): Rendered {
    const { element } = facts;
    facts.rendered ??= isOpaquelyRendered(element) ? "opaque" : isRendered(element) ? "transparent" : "not";
    return facts.rendered;
  }

  /** Rendered, or an option of a select that is, or without a box but with something rendered inside. */
  isShown(element: Element): boolean {
    if (this.renderedAs(element) !== "not") return true;
    const tag = tagOf(element);
    if (tag === "option" || tag === "optgroup") return this.#isOptionShown(element);
    if (tag === "area") return this.#isAreaShown(element);
    if (this.styleOf(element).display !== "contents") return false;
    for (let child = firstChildOf(shadowRootOf(element) ?? element); child; child = nextSiblingOf(child)) {
      if (isElement(child) ? this.isShown(child) : nodeTypeOf(child) === TEXT && isTextDrawn(child)) return true;
    }
    return tag === "slot";
  }

  /** By `aria-hidden` on it or around it. */
  isAriaHidden(element: Element): boolean {
    const facts = this.factsOf(element);
    for (const at of this.without("ariaHidden", facts)) {
      at.ariaHidden = this.parentOf(at)?.ariaHidden === true || isTrue(at.element, "aria-hidden");
    }
    return facts.ariaHidden === true;
  }

  /**
   * The labels of a native control, in document order. The control's own `labels` searches the whole tree each time it
   * is asked: ten thousand buttons would take half a minute.
   */
  labelsOf(control: Element): readonly Element[] {
    const root = rootOf(control);
    let byControl = this.#labels.get(root);
    if (!byControl) {
      byControl = new Map();
      for (const label of queryAll(root, "label")) {
        const labeled = label instanceof HTMLLabelElement ? label.control : null;
        if (labeled) byControl.set(labeled, [...(byControl.get(labeled) ?? []), label]);
      }
      this.#labels.set(root, byControl);
    }
    return byControl.get(control) ?? [];
  }

  /** By `aria-disabled` on it or the nearest ancestor that has it. */
  isAriaDisabled(element: Element): boolean {
    const facts = this.factsOf(element);
    for (const at of this.without("ariaDisabled", facts)) {
      const own = attributeOf(at.element, "aria-disabled")?.toLowerCase();
      at.ariaDisabled = own === "true" || (this.parentOf(at)?.ariaDisabled === true && own !== "false");
    }
    return facts.ariaDisabled === true;
  }

  /** An area is where its map's picture is. */
  #isAreaShown(area: Element): boolean {
    const name = attributeOf(closestOf(area, "map") ?? area, "name");
    const pictures = name ? queryAll(rootOf(area), `img[usemap="#${CSS.escape(name)}"]`) : [];
    return pictures.some((picture) => this.renderedAs(picture) !== "not");
  }

  /** Options of a collapsed select have no box of their own. */
  #isOptionShown(option: Element): boolean {
    const select = closestOf(option, "select");
    if (!select || !isRendered(select)) return false;
    for (let current: Element | undefined = option; current && current !== select; current = parentOf(current)) {
      if (getComputedStyle(current).display === "none") return false;
    }
    return true;
  }
}

function isTrue(element: Element, attribute: string): boolean {
  return attributeOf(element, attribute)?.toLowerCase() === "true";
}

/** Never text for people, whatever its style. */
export function isIgnored(element: Element, tag = tagOf(element)): boolean {
  return NEVER_READ.has(tag) && !closestOf(element, "svg");
}

/** False for text that no one draws: not given to a slot, or in a closed `details`. */
export function isTextPlaced(text: Node): boolean {
  const parent = text.parentElement;
  if (!parent) return true;
  if (shadowRootOf(parent) && !slotOf(text)) return false;
  return tagOf(parent) !== "details" || (parent as HTMLDetailsElement).open;
}

/** True when the text has a box: for text in an element that has none. */
function isTextDrawn(text: Node): boolean {
  const range = document.createRange();
  range.selectNode(text);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}
