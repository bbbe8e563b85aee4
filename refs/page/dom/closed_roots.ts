/**
 * Closed shadow roots. No script can reach into them, the browser's debugger can: it hands each root over to this world,
 * once, and from then on it is read like an open one.
 */
import {
  adoptShadowRoot,
  firstChildOf,
  isConnected,
  isElement,
  isRendered,
  nextSiblingOf,
  rectOf,
  tagOf,
} from "./dom.ts";

/** What may hold a shadow root besides custom elements (DOM, 4.2.14). */
const HOST_TAGS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
/** Smaller boxes hold nothing that could be read or pressed. CSS pixels. */
const MIN_SIDE = 4;
/** Asked about in a document that has shown no closed root yet: empty boxes are common, closed roots are rare. */
const MAX_IN_VAIN = 50;

/** Where the debugger finds it in this world, which the page has no part in. */
declare global {
  var browseHosts: Hosts | undefined;
}

/** Elements that show something nobody can see the source of. */
export class Hosts {
  readonly #asked = new WeakSet<Element>();
  #opened: WeakRef<ShadowRoot>[] = [];
  #waiting: Element[] = [];
  /** Asked about since a root was last found. */
  #inVain = 0;

  constructor() {
    globalThis.browseHosts = this;
  }

  /** Elements to ask the debugger about. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes note of an element in which nothing was found to read. */
  consider(element: Element): void {
    const tag = tagOf(element);
    if (!(tag.includes("-") || HOST_TAGS.has(tag)) || this.#asked.has(element)) return;
    if (this.#inVain >= MAX_IN_VAIN || hasRenderedChild(element)) return;
    const { width, height } = rectOf(element);
    if (width < MIN_SIDE || height < MIN_SIDE) return;
    this.#asked.add(element);
    this.#waiting.push(element);
    this.#inVain++;
  }

  /** Called by the debugger: the elements to look into, each once. */
  take(): Element[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** Called by the debugger. */
  adopt(host: Element, root: ShadowRoot): void {
    adoptShadowRoot(host, root);
    this.#opened.push(new WeakRef(root));
    this.#inVain = 0;
  }

  /** Called by the debugger: the roots it has handed over that are still in the document. */
  opened(): ShadowRoot[] {
    this.#opened = this.#opened.filter((root) => root.deref());
    return this.#opened.flatMap((known) => {
      const root = known.deref();
      return root && isConnected(root) ? [root] : [];
    });
  }
}

function hasRenderedChild(element: Element): boolean {
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
    if (isElement(child) && isRendered(child)) return true;
  }
  return false;
}
