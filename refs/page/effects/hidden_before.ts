/** What could not be seen when an action began: what of it can be seen afterwards has come up, though nothing was added. */

import { isIgnored } from "../aria/reading.ts";
import { childElementsOf, flatParentOf, isConnected, isOpaquelyRendered, rootElement, tagOf } from "../dom/dom.ts";

/** Elements that are looked at, 4 ms in all; those after them are taken to have been seen. */
const MAX_VISITED = 5_000;

/** Nothing in them comes up by itself, and options have no box before their list opens. */
const CLOSED = new Set(["svg", "select", "datalist", "canvas", "video", "audio"]);

export class HiddenBefore {
  /** The outermost. */
  readonly #roots = new Set<Element>();
  /** Looked at, and to be seen. */
  readonly #seen = new WeakSet<Element>();

  constructor() {
    const root = rootElement();
    if (root) this.#look(root);
  }

  /** Was it, or what it is in? */
  has(element: Element): boolean {
    if (this.#roots.size === 0) return false;
    for (let at: Element | undefined = element; at; at = flatParentOf(at)) if (this.#roots.has(at)) return true;
    return false;
  }

  /** Was it, and not because of what it is in? */
  isOutermost(element: Element): boolean {
    return this.#roots.has(element);
  }

  /** Could it be seen? Of what was not looked at nobody knows. */
  wasSeen(element: Element): boolean {
    return this.#seen.has(element);
  }

  /** Those that can be seen now. */
  shown(): Element[] {
    return [...this.#roots].filter((root) => isConnected(root) && isOpaquelyRendered(root));
  }

  /** Level by level: what comes up is seldom deep in the page. */
  #look(root: Element): void {
    const queue = [root];
    for (let at = 0; at < queue.length && at < MAX_VISITED; at++) {
      const element = queue[at] as Element;
      if (!this.#isOpen(element)) continue;
      for (const child of childElementsOf(element)) queue.push(child);
    }
  }

  #isOpen(element: Element): boolean {
    const isSeen = isOpaquelyRendered(element);
    if (isSeen) this.#seen.add(element);
    const tag = tagOf(element);
    if (CLOSED.has(tag) || isIgnored(element, tag)) return false;
    if (isSeen || hasNoBoxOfItsOwn(element)) return true;
    this.#roots.add(element);
    return false;
  }
}

/** By `display: contents`. */
function hasNoBoxOfItsOwn(element: Element): boolean {
  const [first] = childElementsOf(element);
  return first !== undefined && isOpaquelyRendered(first);
}
