/**
 * Elements that the page listens on for presses. Only the page's own world knows its listeners: the debugger walks it
 * and sends each such element an event of a name nobody else knows, which is heard here and goes no further. Neither its
 * walk nor the name of what an event was sent to passes a closed shadow root: what is in one the debugger hands over.
 */

/** Where the debugger finds it in this world, which the page has no part in. */
declare global {
  var browseListened: Listened | undefined;
}

export class Listened {
  #found = new WeakSet<Element>();
  #type: string | undefined;
  readonly #listener = (event: Event): void => {
    event.stopImmediatePropagation();
    const [target] = event.composedPath();
    if (target instanceof Element) this.#found.add(target);
  };

  constructor() {
    globalThis.browseListened = this;
  }

  begin(type: string): void {
    this.end();
    this.#found = new WeakSet();
    this.#type = type;
    window.addEventListener(type, this.#listener, { capture: true });
  }

  end(): void {
    if (this.#type) window.removeEventListener(this.#type, this.#listener, { capture: true });
    this.#type = undefined;
  }

  /** Called by the debugger. */
  add(...elements: Element[]): void {
    for (const element of elements) this.#found.add(element);
  }

  has(element: Element): boolean {
    return this.#found.has(element);
  }
}
