import { fieldOf } from "../act/fields.ts";
import { focusedElement } from "../dom/dom.ts";
import { ChangedNodes } from "./changed_nodes.ts";
import { FieldWatch } from "./field_watch.ts";
import type { Counted } from "./protocol.ts";

/** Changes beyond this many are not told apart. */
const MAX_NODES = 10_000;
/** Of what changes between two actions, however long that is. */
const MAX_LATER = 1_000;

/** Of what a page is called. UTF-16 units. */
const MAX_TITLE = 200;

const OBSERVED = {
  subtree: true,
  childList: true,
  attributes: true,
  attributeOldValue: true,
  characterData: true,
  characterDataOldValue: true,
} as const;
const FIELD_EVENTS = ["input", "change"] as const;

/**
 * Counts what an action changes in the document, and then what changes until the next one begins. Knows the nodes that
 * it has counted weakly: what the page takes out is not kept alive.
 */
export class ChangeCounter {
  readonly fields = new FieldWatch();
  readonly #observer = new MutationObserver((records) => this.#take(records));
  #nodes = new WeakSet<Node>();
  /** Which they are, while an action is done that is to show them. */
  #shown: ChangedNodes | undefined;
  #count = 0;
  #max = MAX_NODES;
  #lastAt = 0;
  /** Of the action; else nobody has acted yet, or what comes after it is counted. */
  #acting = false;
  #acted = new Set<Element>();
  #focused: Element | null = null;
  #later = 0;
  #title = "";
  /** Nodes of the title among those that have changed. */
  #titled = 0;
  /** On the document's timeline. */
  #begunAt = 0;

  /** A field's value is no part of the tree; that it changed is told by events only. Nothing has to settle after it. */
  readonly #takeField = (event: Event) => {
    const [field] = event.composedPath();
    if (!(field instanceof Element)) return;
    this.#add(field);
    this.#shown?.takeField(field);
    this.fields.takeFiles(field);
  };

  /** The click on a link that downloads, which no other event tells of before the server has answered. */
  #download: { event: Event; url: string } | undefined;
  /** The same on a field for files, whose chooser the browser tells of a moment later. */
  #choice: Event | undefined;
  readonly #takeClick = (event: Event) => {
    if (event.composedPath().some(choosesFiles)) this.#choice = event;
    const link = event.composedPath().find(downloads);
    if (link) this.#download = { event, url: link.href };
  };

  /** `shows`: which nodes have changed will be asked for. */
  begin({ shows }: { shows: boolean }): void {
    this.#takeAll();
    const later = this.#acting ? 0 : this.#count;
    this.#reset(MAX_NODES);
    this.#later = later;
    if (shows) this.#shown = new ChangedNodes();
    this.#focused = focusedElement();
    this.#title = document.title;
    this.#observe(document);
    window.addEventListener("click", this.#takeClick, true);
    for (const type of FIELD_EVENTS) window.addEventListener(type, this.#takeField, true);
    this.#begunAt = Number(document.timeline.currentTime ?? 0);
    this.#acting = true;
  }

  /** Counts from here when nobody has begun, and also in the shadow trees around the element, which is acted on. */
  include(element: Element): void {
    if (!this.#acting) this.begin({ shows: true });
    this.#acted.add(element);
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
      this.#observe(root);
  }

  read(): Counted {
    this.#takeAll();
    const own = [...this.#acted].filter((node) => this.#nodes.has(node)).length;
    return {
      changed: this.#count,
      beyond: this.#count - own,
      quietMs: this.#count === 0 ? 0 : performance.now() - this.#lastAt,
      ...(this.#isRenamed && { title: { now: document.title.slice(0, MAX_TITLE), nodes: this.#titled } }),
      closing: window.closed,
      ...(this.#download?.event.defaultPrevented === false && { downloading: this.#download.url }),
      ...(this.#choice?.defaultPrevented === false && { choosing: true }),
      ...(this.#count > 0 && this.#isAnimating && { animating: true }),
      ...(this.#later > 0 && { later: this.#later }),
    };
  }

  /** Frames have titles that nobody sees. */
  get #isRenamed(): boolean {
    return window.parent === window && this.#titled > 0 && document.title !== this.#title;
  }

  /** What has no end, such as a spinner, is often there before. */
  get #isAnimating(): boolean {
    const isNew = ({ startTime }: Animation) => startTime === null || Number(startTime) >= this.#begunAt;
    return document.getAnimations().some((each) => each.playState === "running" && isNew(each));
  }

  /** Undefined where nobody has asked for them at the beginning. */
  get shown(): ChangedNodes | undefined {
    this.#takeAll();
    return this.#shown;
  }

  /** What has the focus now and had it not, and is not what was acted on. */
  get focused(): Element | undefined {
    const now = focusedElement();
    if (!now || now === this.#focused || now === document.body || now.localName === "iframe") return undefined;
    const isActedOn = [...this.#acted].some((element) => element.contains(now) || fieldOf(element) === now);
    return isActedOn ? undefined : now;
  }

  /** What comes now is told with the next action, and what has come when nobody was `told` of it. */
  end(told: boolean): void {
    for (const type of FIELD_EVENTS) window.removeEventListener(type, this.#takeField, true);
    window.removeEventListener("click", this.#takeClick, true);
    this.#takeAll();
    this.#acting = false;
    this.#shown = undefined;
    if (told) this.#reset(MAX_LATER);
  }

  /** All that is there has been shown. */
  forget(): void {
    if (this.#acting) return;
    this.#observer.takeRecords();
    this.#reset(MAX_LATER);
  }

  #reset(max: number): void {
    this.fields.begin();
    this.#download = undefined;
    this.#choice = undefined;
    this.#acted = new Set();
    this.#nodes = new WeakSet();
    this.#count = 0;
    this.#max = max;
    this.#lastAt = 0;
    this.#later = 0;
    this.#titled = 0;
    this.#shown = undefined;
  }

  #observe(root: Node): void {
    this.#observer.observe(root, OBSERVED);
  }

  #takeAll(): void {
    this.#take(this.#observer.takeRecords());
    for (const field of this.fields.changed) {
      this.#add(field);
      this.#shown?.takeField(field);
    }
  }

  #take(records: MutationRecord[]): void {
    if (records.length > 0) this.#lastAt = performance.now();
    for (const record of records) {
      this.#shown?.take(record);
      const before = this.#count;
      if (record.type !== "childList") this.#add(record.target);
      for (const node of record.addedNodes) this.#add(node);
      for (const node of record.removedNodes) this.#add(node);
      if (isOfTitle(record)) this.#titled += this.#count - before;
      if (record.target === document) this.#addInside(record.removedNodes);
    }
    // Whoever acts next observes anew.
    if (!this.#acting && this.#count >= this.#max) this.#observer.disconnect();
  }

  /** A document that is written anew comes node by node, and so is what it takes the place of counted. */
  #addInside(roots: NodeList): void {
    for (const root of roots) {
      const walker = document.createTreeWalker(root);
      while (this.#count < this.#max && walker.nextNode()) this.#add(walker.currentNode);
    }
  }

  #add(node: Node): void {
    if (this.#count >= this.#max || this.#nodes.has(node)) return;
    this.#nodes.add(node);
    this.#count++;
  }
}

/** Its text, or the title itself where there was none. */
function isOfTitle({ target, addedNodes }: MutationRecord): boolean {
  const holder = target instanceof Text ? target.parentNode : target;
  if (holder instanceof HTMLTitleElement) return true;
  return holder === document.head && addedNodes.length === 1 && addedNodes[0] instanceof HTMLTitleElement;
}

function choosesFiles(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === "file" && !target.disabled;
}

function downloads(target: EventTarget): target is HTMLAnchorElement {
  return target instanceof HTMLAnchorElement && target.hasAttribute("download") && target.hasAttribute("href");
}
