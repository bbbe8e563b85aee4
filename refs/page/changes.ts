import type { Changes } from "./act_protocol.ts";

/** Changes beyond this many are not told apart. */
const MAX_NODES = 10_000;

const FIELD_EVENTS = ["input", "change"] as const;

/** Counts what an action changes in the document. Observes only between `begin` and `end`. */
export class ChangeCounter {
  readonly #nodes = new Set<Node>();
  readonly #observer = new MutationObserver((records) => this.#take(records));
  #lastAt = 0;
  #observing = false;

  /** A field's value is no part of the tree; that it changed is told by events only. Nothing has to settle after it. */
  readonly #takeField = (event: Event) => {
    const [field] = event.composedPath();
    if (field instanceof Node && this.#nodes.size < MAX_NODES) this.#nodes.add(field);
  };

  /** The click on a link that downloads, which no other event tells of before the server has answered. */
  #download: Event | undefined;
  readonly #takeClick = (event: Event) => {
    if (event.composedPath().some(downloads)) this.#download = event;
  };

  begin(): void {
    this.end();
    this.#observe(document);
    window.addEventListener("click", this.#takeClick, true);
    for (const type of FIELD_EVENTS) window.addEventListener(type, this.#takeField, true);
    this.#observing = true;
  }

  /** Counts from here when nobody has begun, and also in the shadow trees around the element. */
  include(element: Element): void {
    if (!this.#observing) this.begin();
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
      this.#observe(root);
  }

  read(): Changes {
    this.#take(this.#observer.takeRecords());
    const changed = this.#nodes.size;
    return {
      changed,
      quietMs: changed === 0 ? 0 : performance.now() - this.#lastAt,
      closing: window.closed,
      downloading: this.#download?.defaultPrevented === false,
    };
  }

  end(): void {
    this.#observer.disconnect();
    for (const type of FIELD_EVENTS) window.removeEventListener(type, this.#takeField, true);
    window.removeEventListener("click", this.#takeClick, true);
    this.#download = undefined;
    this.#nodes.clear();
    this.#lastAt = 0;
    this.#observing = false;
  }

  #observe(root: Node): void {
    this.#observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  #take(records: MutationRecord[]): void {
    if (records.length > 0) this.#lastAt = performance.now();
    for (const record of records) {
      if (this.#nodes.size >= MAX_NODES) return;
      if (record.type !== "childList") this.#nodes.add(record.target);
      for (const node of record.addedNodes) this.#nodes.add(node);
      for (const node of record.removedNodes) this.#nodes.add(node);
    }
  }
}

function downloads(target: EventTarget): boolean {
  return target instanceof HTMLAnchorElement && target.hasAttribute("download") && target.hasAttribute("href");
}
