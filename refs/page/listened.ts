/**
 * Elements that the page listens on for presses. Only the page's own world knows its listeners: the debugger walks it
 * and sends each such element an event of a name nobody else knows, which is heard here and goes no further.
 */
export class Listened {
  #found = new WeakSet<Element>();
  #type: string | undefined;
  readonly #listener = (event: Event): void => {
    event.stopImmediatePropagation();
    const [target] = event.composedPath();
    if (target instanceof Element) this.#found.add(target);
  };

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

  has(element: Element): boolean {
    return this.#found.has(element);
  }
}
