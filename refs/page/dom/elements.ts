import type { DocumentId, ElementId, ElementNumber, Gone } from "../protocol.ts";
import { Hosts } from "./closed_roots.ts";
import { isConnected, nodeDocumentOf } from "./dom.ts";
import { Listened } from "./listened.ts";

/** Where the debugger finds it in this world, which the page has no part in. */
declare global {
  var browseElements: Elements | undefined;
}

/** The elements this document's reader has named. One per document; it dies with the document. */
export class Elements {
  readonly doc: DocumentId = crypto.getRandomValues(new Uint32Array(3)).join("-");
  readonly #byNumber = new Map<ElementNumber, WeakRef<Element>>();
  readonly #numbers = new WeakMap<Element, ElementNumber>();
  /** What has no role of its own but was found to be clickable. */
  readonly clickable = new WeakSet<Element>();
  readonly hosts = new Hosts();
  readonly listened = new Listened();
  #last = 0;

  constructor() {
    globalThis.browseElements = this;
  }

  numberOf(element: Element): ElementNumber {
    const known = this.#numbers.get(element);
    if (known !== undefined) return known;
    const number = ++this.#last;
    this.#numbers.set(element, number);
    this.#byNumber.set(number, new WeakRef(element));
    return number;
  }

  /** All that have been named before and are still there, the last ones first, as far as `max` goes. */
  named(max: number): Element[] {
    const found: Element[] = [];
    for (let n = this.#last; n > 0 && found.length < max; n--) {
      const element = this.#byNumber.get(n)?.deref();
      if (element && isConnected(element)) found.push(element);
    }
    return found;
  }

  /** Of an element that has been named before. */
  knownNumberOf(element: Element): ElementNumber | undefined {
    return this.#numbers.get(element);
  }

  /** The element, when it is of this document and still connected to it. */
  find({ doc, n }: ElementId): Element | undefined {
    if (doc !== this.doc) return undefined;
    const element = this.#byNumber.get(n)?.deref();
    return element && isConnected(element) && nodeDocumentOf(element) === document ? element : undefined;
  }

  gone({ doc }: Pick<ElementId, "doc">): Gone {
    return { state: "gone", why: doc === this.doc ? "removed" : "document", doc: this.doc };
  }
}
