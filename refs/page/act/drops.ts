/** What the page makes of a drag over it. Only what it accepts may be dropped: the browser opens all else as a page. */
import { holds } from "../dom/geometry.ts";

export class DragWatch {
  #last: Event | undefined;
  readonly #listener = (event: Event): void => {
    this.#last = event;
  };

  begin(): void {
    this.#last = undefined;
    window.addEventListener("dragover", this.#listener, { capture: true });
  }

  /** Whether the last drag was over the element, and whether the page took it, once all its listeners have run. */
  end(element: Element): { over: boolean; accepted: boolean } {
    window.removeEventListener("dragover", this.#listener, { capture: true });
    const last = this.#last;
    const hit = last?.composedPath()[0] ?? last?.target;
    this.#last = undefined;
    const over = hit instanceof Node && holdsNode(element, hit);
    return { over, accepted: last?.defaultPrevented === true };
  }
}

function holdsNode(element: Element, hit: Node): boolean {
  const at = hit instanceof Element ? hit : hit.parentElement;
  return at !== null && holds(element, at);
}
