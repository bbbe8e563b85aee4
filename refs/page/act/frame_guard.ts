/**
 * Keeps a press out of the frames inside a document, also out of those that a script puts there while the guard is
 * armed. Frames of other sites guard themselves by being too slow: one that was there is looked at before the press.
 */
import { isElement, queryAll } from "../dom/dom.ts";

const FRAMES = "iframe,frame,object,embed";

export class FrameGuard {
  readonly #types: readonly string[];
  readonly #onEvent: (event: Event, frame: Element) => void;
  readonly #listeners = new Map<Window, (event: Event) => void>();
  #closed = new AbortController();
  #way: Element | undefined;
  readonly #observer = new MutationObserver((records) => {
    const isGrown = records.some(({ addedNodes }) => [...addedNodes].some(isElement));
    if (isGrown) this.#closeIn(document);
  });

  constructor(types: readonly string[], onEvent: (event: Event, frame: Element) => void) {
    this.#types = types;
    this.#onEvent = onEvent;
  }

  /** `way`: the frame that the press is to go through. */
  close(way?: Element): void {
    this.open();
    this.#way = way;
    this.#closeIn(document);
    this.#observer.observe(document, { childList: true, subtree: true });
  }

  open(): void {
    this.#observer.disconnect();
    // Not by the windows, which may have become those of another origin.
    this.#closed.abort();
    this.#closed = new AbortController();
    this.#listeners.clear();
  }

  #closeIn(inner: Document): void {
    for (const frame of queryAll(inner, FRAMES)) if (frame !== this.#way) this.#closeFrame(frame);
  }

  #closeFrame(frame: Element): void {
    // Null for frames of other origins.
    const inner = (frame as Partial<HTMLIFrameElement>).contentDocument;
    const view = inner?.defaultView;
    if (!inner || !view) return;
    const listener = this.#listeners.get(view) ?? ((event: Event) => this.#onEvent(event, frame));
    this.#listeners.set(view, listener);
    // Adding it again does nothing, unless `document.open` has taken it off.
    const options = { capture: true, signal: this.#closed.signal };
    for (const type of this.#types) view.addEventListener(type, listener, options);
    this.#closeIn(inner);
  }
}
