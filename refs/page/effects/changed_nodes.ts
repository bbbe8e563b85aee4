/** Which nodes an action has changed, and how: what a count does not keep. */
import { attributeOf, ELEMENT, fold, isElement, nodeTypeOf, TEXT, textContentOf } from "../dom/dom.ts";
import { HiddenBefore } from "./hidden_before.ts";

/** More are counted only. */
const MAX_KEPT = 3_000;
/** What is compared of an attribute or a text. Characters. */
const MAX_COMPARED = 500;

/** Attributes that an element's line tells. */
const TOLD = new Set(
  `aria-checked aria-current aria-disabled aria-expanded aria-invalid aria-label aria-labelledby aria-level aria-pressed
  aria-readonly aria-required aria-selected aria-valuenow aria-valuetext alt checked contenteditable disabled href max
  open placeholder readonly required role selected title type value`.split(/\s+/),
);
/** Attributes that hide and show. */
const STYLING = new Set(["class", "style", "hidden", "open", "aria-hidden", "inert"]);

export class ChangedNodes {
  readonly hidden = new HiddenBefore();
  /** Not there before. */
  readonly added = new Set<Node>();
  /** There before, in another place. */
  readonly moved = new Set<Node>();
  /** What is there no more, and what it was in. */
  readonly removed = new Map<Node, Node>();
  /** Those whose values have changed, as events tell. */
  readonly fields = new Set<Element>();
  /** May have been hidden. */
  readonly restyled = new Set<Element>();
  readonly #texts = new Map<Node, string>();
  readonly #attributes = new Map<Element, Map<string, string | null>>();
  #kept = 0;

  take({ type, target, addedNodes, removedNodes, attributeName, oldValue }: MutationRecord): void {
    if (type === "childList") {
      for (const node of removedNodes) this.#remove(node, target);
      for (const node of addedNodes) this.#add(node);
    } else if (type === "characterData") {
      if (!this.#texts.has(target) && this.#hasRoom()) this.#texts.set(target, head(oldValue) ?? "");
    } else if (attributeName !== null) this.#takeAttribute(target as Element, attributeName, oldValue);
  }

  takeField(field: Element): void {
    if (!this.fields.has(field) && this.#hasRoom()) this.fields.add(field);
  }

  /** No node has changed; what is to be seen may have. */
  get isUntouched(): boolean {
    return this.#kept === 0;
  }

  /** Text nodes that say something else than they did. */
  get texts(): Node[] {
    return [...this.#texts].filter(([text, was]) => head(textContentOf(text)) !== was).map(([text]) => text);
  }

  /** Elements whose line may be another one by an attribute. */
  get changed(): Element[] {
    return [...this.#attributes]
      .filter(([element, before]) => [...before].some(([name, was]) => head(attributeOf(element, name)) !== was))
      .map(([element]) => element);
  }

  #add(node: Node): void {
    if (!isOfInterest(node)) return;
    if (this.removed.delete(node)) this.moved.add(node);
    else if (!this.added.has(node) && !this.moved.has(node) && this.#hasRoom()) this.added.add(node);
  }

  /** What came and went again was never there for anybody. */
  #remove(node: Node, from: Node): void {
    if (!isOfInterest(node) || this.added.delete(node)) return;
    if (this.moved.delete(node) || this.#hasRoom()) this.removed.set(node, from);
  }

  #takeAttribute(element: Element, name: string, was: string | null): void {
    if (STYLING.has(name) && !this.restyled.has(element) && this.#hasRoom()) this.restyled.add(element);
    if (!TOLD.has(name)) return;
    const before = this.#attributes.get(element) ?? new Map<string, string | null>();
    if (before.has(name) || !this.#hasRoom()) return;
    this.#attributes.set(element, before.set(name, head(was)));
  }

  #hasRoom(): boolean {
    return this.#kept < MAX_KEPT && ++this.#kept > 0;
  }
}

function isOfInterest(node: Node): boolean {
  const type = nodeTypeOf(node);
  return type === ELEMENT || (type === TEXT && (textContentOf(node) ?? "").trim() !== "");
}

function head(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_COMPARED);
}

/** Of what came in the place of something else: nothing that a line tells is another. */
export function tellsTheSame(now: Node, was: Node): boolean {
  if (fold(textContentOf(now) ?? "") !== fold(textContentOf(was) ?? "")) return false;
  if (!isElement(now) || !isElement(was)) return true;
  return [...TOLD].every((name) => attributeOf(now, name) === attributeOf(was, name));
}
