/**
 * Accessible names and descriptions: the "Accessible Name and Description Computation 1.2" with HTML-AAM's native
 * text alternatives. Steps are named as there.
 */
import {
  attributeOf,
  elementMatches,
  firstChildOf,
  flatChildrenOf,
  fold,
  isElement,
  nextSiblingOf,
  nodeTypeOf,
  queryAll,
  referenced,
  TEXT,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import { nativeName } from "./native_names.ts";
import { isIgnored, isTextPlaced, type Reading } from "./reading.ts";
import { NAME_PROHIBITED, NAMED_FROM_CONTENT, NAMED_FROM_CONTENT_INSIDE } from "./role_table.ts";
import { isSecret, MASK } from "./secret.ts";

/** How the computation came to an element. */
export interface Route {
  /** Each element gives its text once, which also ends cycles. */
  visited: Set<Element>;
  /** The element being named, inside it, or elsewhere. */
  place: "self" | "inside" | "elsewhere";
  /** Through which reference: its content counts whatever its role. */
  through?: "labelledby" | "describedby" | "label" | "native";
  /** Reached by a reference to something hidden, or of something hidden: hidden parts count. */
  withHidden: boolean;
}

export class Names {
  readonly reading: Reading;
  readonly #names = new Map<Element, string>();
  /** How deep in content the computation is. */
  #level = 0;
  /** How much more text is wanted; characters. */
  #wanted = Number.POSITIVE_INFINITY;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** The element's accessible name, white space folded; "" when it has none or may have none. */
  nameOf(element: Element): string {
    let name = this.#names.get(element);
    if (name === undefined) {
      name = this.#compute(element);
      this.#names.set(element, name);
    }
    return name;
  }

  #compute(element: Element): string {
    const role = this.reading.roleOf(element);
    if (!role ? tagOf(element) !== "summary" : NAME_PROHIBITED.has(role)) return "";
    const simple = this.#simpleName(element, role ?? "");
    if (simple !== undefined) return simple;
    // Something hidden still needs a name: to be spoken of, and for its ref to know it by.
    const withHidden = this.reading.isHidden(element);
    return fold(this.alternative(element, { visited: new Set(), place: "self", withHidden }));
  }

  /** Fast path: an element named by its one piece of text, or without anything that could name it. */
  #simpleName(element: Element, role: string): string | undefined {
    if (!NAMED_FROM_CONTENT.has(role)) return undefined;
    const tag = tagOf(element);
    if (tag === "input" || tag === "select" || tag === "textarea" || tag === "option") return undefined;
    const child = firstChildOf(element);
    if (!child || nodeTypeOf(child) !== TEXT || nextSiblingOf(child)) return undefined;
    for (const name of NAMING_ATTRIBUTES) if (attributeOf(element, name) !== null) return undefined;
    if (tag === "button" && this.reading.labelsOf(element).length > 0) return undefined;
    if (this.reading.isHidden(element) || element.shadowRoot) return undefined;
    const { pseudo } = this.reading;
    const text = fold(pseudo.textOf(element, "::before") + textContentOf(child) + pseudo.textOf(element, "::after"));
    return text || undefined;
  }

  /** What describes the element beside its name; "" when nothing does. */
  descriptionOf(element: Element): string {
    const described = referenced(element, "aria-describedby");
    const text =
      described.length > 0
        ? described.map((by) => this.#through(by, "describedby", new Set())).join(" ")
        : (attributeOf(element, "aria-description") ?? attributeOf(element, "title") ?? "");
    const description = fold(text);
    return description === this.nameOf(element) ? "" : description;
  }

  /** Step 2: the text alternative of an element reached by this route, unfolded. */
  alternative(element: Element, route: Route): string {
    if (route.visited.has(element)) return "";
    if (isIgnored(element) || (!route.withHidden && this.reading.isHidden(element))) {
      route.visited.add(element);
      return "";
    }
    const labelledBy = labelledByOf(element);
    if (route.through !== "labelledby" && labelledBy.length > 0) {
      const name = labelledBy.map((by) => this.#through(by, "labelledby", route.visited)).join(" ");
      if (name.trim()) return name;
    }
    const role = this.reading.roleOf(element) ?? "";
    const isEmbedded = route.place === "inside" || route.through === "label" || route.through === "labelledby";
    if (isEmbedded && !labelledBy.includes(element)) {
      const value = this.#embeddedValue(element, role, route);
      if (value !== undefined) return value;
    }
    const label = attributeOf(element, "aria-label");
    if (label?.trim()) {
      route.visited.add(element);
      return label;
    }
    if (role !== "presentation") {
      const native = nativeName(element, labelledBy.length > 0, route, this);
      if (native !== undefined) return native;
    }
    return this.#fromContent(element, role, route) || this.#tooltip(element, role, route);
  }

  /** Text of what a reference names, hidden parts counted when it is itself hidden. */
  #through(element: Element, through: NonNullable<Route["through"]>, visited: Set<Element>): string {
    const withHidden = this.reading.isHidden(element);
    // A reference from inside the element itself must not find it visited.
    return this.alternative(element, { visited: new Set(visited), place: "elsewhere", through, withHidden });
  }

  /** Text of the labels a native control has. */
  fromLabels(labels: Iterable<Element>, visited: Set<Element>): string {
    return [...labels]
      .map((label) => this.#through(label, "label", visited))
      .filter((text) => text)
      .join(" ");
  }

  /** Text of a child that names its parent: legend, caption, figcaption, an SVG title. */
  fromNativeChild(child: Element, route: Route): string {
    const withHidden = route.withHidden || this.reading.isHidden(child);
    return this.alternative(child, { ...route, place: "inside", through: "native", withHidden });
  }

  /** Step 2C: a control inside what names another gives its value. */
  #embeddedValue(element: Element, role: string, route: Route): string | undefined {
    const value = this.#valueOf(element, role, route);
    if (value !== undefined) route.visited.add(element);
    return value && isSecret(element, this.reading) ? MASK : value;
  }

  #valueOf(element: Element, role: string, route: Route): string | undefined {
    if (role === "textbox" || role === "searchbox") {
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      return isField ? element.value : (textContentOf(element) ?? "");
    }
    if (role === "combobox" || role === "listbox") return this.#chosen(element, role, route);
    if (["progressbar", "scrollbar", "slider", "spinbutton", "meter"].includes(role)) {
      const author = attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow");
      if (author !== null) return author;
      return "value" in element ? String(element.value) : (attributeOf(element, "value") ?? "");
    }
    return role === "menu" ? "" : undefined;
  }

  #chosen(element: Element, role: string, route: Route): string {
    let options: Element[] = [];
    if (element instanceof HTMLSelectElement) {
      options = [...element.selectedOptions];
    } else {
      const list =
        role === "listbox" ? element : within(element, "[role]").find((e) => this.reading.roleOf(e) === "listbox");
      if (list) options = within(list, '[aria-selected="true" i]');
      if (options.length === 0 && element instanceof HTMLInputElement) return element.value;
    }
    return options.map((option) => this.alternative(option, { ...route, place: "inside" })).join(" ");
  }

  /** Step 2F: name from content. */
  #fromContent(element: Element, role: string, route: Route): string {
    const allowed =
      NAMED_FROM_CONTENT.has(role) ||
      route.through !== undefined ||
      tagOf(element) === "summary" ||
      (route.place === "inside" && (role === "" || NAMED_FROM_CONTENT_INSIDE.has(role)));
    if (!allowed) return "";
    route.visited.add(element);
    const text = this.content(element, route);
    return route.place === "self" && !text.trim() ? "" : text;
  }

  /** Text of what an element contains, with spaces where lines break. */
  content(element: Element, route: Route): string {
    if (this.#level > MAX_LEVELS) return textContentOf(element) ?? "";
    const inside: Route = route.place === "self" ? { ...route, place: "inside" } : route;
    this.#level++;
    const { pseudo } = this.reading;
    let text = pseudo.textOf(element, "::before");
    for (const node of flatChildrenOf(element)) text += this.#nodeText(node, inside);
    for (const owned of referenced(element, "aria-owns")) text += this.#nodeText(owned, inside);
    this.#level--;
    return text + pseudo.textOf(element, "::after");
  }

  /** The beginning of what an element contains: not much more than `max` characters are looked for. */
  excerpt(element: Element, route: Route, max: number): string {
    this.#wanted = max;
    try {
      return this.content(element, route);
    } finally {
      this.#wanted = Number.POSITIVE_INFINITY;
    }
  }

  #nodeText(node: Node, route: Route): string {
    if (this.#wanted <= 0) return "";
    if (nodeTypeOf(node) === TEXT) {
      const text = route.withHidden || isTextPlaced(node) ? (textContentOf(node) ?? "") : "";
      this.#wanted -= text.trim().length;
      return text;
    }
    if (!isElement(node)) return "";
    const text = this.alternative(node, route);
    if (tagOf(node) === "br") return " ";
    return this.#isApart(node, text) ? ` ${text} ` : text;
  }

  /** A block parts what stands before it from what comes after it, even with nothing in it. */
  #isApart(element: Element, text: string): boolean {
    const { display } = this.reading.styleOf(element);
    return text ? display !== "inline" : !/^(?:inline|none|contents)$/.test(display);
  }

  /** Step 2I. */
  #tooltip(element: Element, role: string, route: Route): string {
    route.visited.add(element);
    return role === "presentation" ? "" : (attributeOf(element, "title") ?? "");
  }
}

/** Deeper content is taken as it is: parsers stop at 512 levels, and the stack must hold. */
const MAX_LEVELS = 600;

const NAMING_ATTRIBUTES = ["aria-label", "aria-labelledby", "aria-owns"];

export function labelledByOf(element: Element): Element[] {
  const reflected = "ariaLabelledByElements" in element ? (element.ariaLabelledByElements as Element[] | null) : null;
  return reflected?.length ? [...reflected] : referenced(element, "aria-labelledby");
}

/** Descendants that match, those brought in by `aria-owns` and `aria-controls` included. */
function within(element: Element, css: string): Element[] {
  const found = queryAll(element, css);
  for (const owned of [...referenced(element, "aria-owns"), ...referenced(element, "aria-controls")]) {
    if (elementMatches(owned, css)) found.push(owned);
    found.push(...queryAll(owned, css));
  }
  return found;
}
