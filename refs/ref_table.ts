/** The refs a tab has given out: numbers people and agents see, and the element each of them means. */
import type { Frame } from "playwright";
import { documentOf } from "../browser/driver/inside.ts";
import type { StateKey } from "../browser/state_of.ts";
import type { Tab } from "../browser/tabs/tab.ts";
import { BrowseError } from "../errors.ts";
import { headOf } from "../security/content/cut_text.ts";
import type { Described, DocumentId, ElementNumber } from "./page/protocol.ts";

export interface Ref {
  /** As people write it: `@e3`, or `@c3` for what was only found to be clickable. */
  id: string;
  frame: Frame;
  doc: DocumentId;
  n: ElementNumber;
  role: string;
  name: string;
  /** The beginning of its text when it was found, when it has no name. */
  text?: string;
  /** How it was found: `snapshot`, or the selector. */
  how: string;
  /** That it is in. */
  table: RefTable;
}

type NewRef = Omit<Ref, "id" | "table">;

/** The refs of the document that a frame showed when it was read last. */
interface DocumentRefs {
  doc: DocumentId;
  /** The browser's name for it, or for the one that has come after it since; undefined where it is not to be had. */
  shown: string | undefined;
  ids: Map<ElementNumber, string>;
}

/** Refs of documents that are gone, kept to say what they were. */
const MAX_TOMBSTONES = 10_000;
/** Living refs beyond this are forgotten, oldest first. */
const MAX_REFS = 200_000;

/** Numbers of refs over all tabs, and from one daemon to the next: none is ever to mean something else. */
export class RefNumbers {
  /** What each table counts on from. */
  first = 0;
  /** The highest that any table has given. */
  highest = 0;

  /** Those up to `last` were given out by the daemon before this one. */
  continueAfter(last: number): void {
    this.first = last;
    this.highest = last;
  }

  /** The tab's table is to count by these; called when the tab is new. */
  readonly follow = (tab: Tab): void => tab.state.set(TABLE, tableFor(tab, this));
}

const TABLE: StateKey<Tab, RefTable> = { make: (tab) => tableFor(tab, new RefNumbers()) };

/** The tab's own table. */
export function refsOf(tab: Tab): RefTable {
  return tab.state.get(TABLE);
}

/** When the tab goes on in another page, or is lent, numbers run on and the refs given out so far are stale. */
function tableFor(tab: Tab, numbers: RefNumbers): RefTable {
  const table = new RefTable(numbers);
  tab.events.on("moved", () => table.buryAll()).on("forgotten", () => table.forgetAll());
  return table;
}

export class RefTable {
  readonly #refs = new Map<string, Ref>();
  /** By frame, document and element number. A frame's former document is dropped when its next one gives refs. */
  readonly #byElement = new Map<Frame, DocumentRefs>();
  readonly #tombstones = new Map<string, { role: string; name: string }>();
  readonly #numbers: RefNumbers;
  #last: number;
  /** What the refs up to this one were is told nobody any more. */
  #forgotten = 0;

  constructor(numbers: RefNumbers) {
    this.#numbers = numbers;
    this.#last = numbers.first;
  }

  /** The ref of this element: the one it has while its role and name stay, else a new number. */
  give(made: NewRef): Ref {
    const ids = this.#idsOf(made.frame, made.doc);
    const known = this.#refs.get(ids.get(made.n) ?? "");
    if (known && known.role === made.role && known.name === made.name) return Object.assign(known, told(made));
    const ref: Ref = { ...made, id: `@${made.role === "clickable" ? "c" : "e"}${++this.#last}`, table: this };
    this.#numbers.highest = Math.max(this.#numbers.highest, this.#last);
    this.#refs.set(ref.id, ref);
    ids.set(made.n, ref.id);
    if (this.#refs.size > MAX_REFS) this.#forgetOldest();
    return ref;
  }

  /** A ref for something the reader of the frame's document has described. */
  giveDescribed(frame: Frame, doc: DocumentId, described: Described, how: string): Ref {
    const { n, role, name, text } = described;
    return this.give({ frame, doc, n, role, name, how, ...(text !== undefined && { text }) });
  }

  /** The ref that was given to this element, if any was. */
  of(frame: Frame, doc: DocumentId, n: ElementNumber): Ref | undefined {
    const known = this.#byElement.get(frame);
    return known?.doc === doc ? this.#refs.get(known.ids.get(n) ?? "") : undefined;
  }

  /** Throws `invalid_params`, `unknown_ref`, or `stale_ref` for one whose document is known to be gone. */
  find(id: string): Ref {
    const match = /^@[ec]([1-9]\d*)$/.exec(id);
    if (!match) throw new BrowseError("invalid_params", `"${id}" is not a ref`, { hint: "Refs look like @e3" });
    const ref = this.#refs.get(id);
    if (ref) this.#buryLeft(ref.frame);
    if (ref && this.#refs.has(id)) return ref;
    const buried = this.#tombstones.get(id);
    if (buried) {
      throw new BrowseError("stale_ref", `${id} [${buried.role}] ${quoted(buried.name)} is gone: the page navigated`, {
        details: { ref: id, ...buried },
      });
    }
    if (Number(match[1]) > this.#last)
      throw new BrowseError("unknown_ref", `No snapshot of this tab has given out ${id}`);
    if (Number(match[1]) <= this.#forgotten)
      throw new BrowseError("stale_ref", `${id} was given out before the tab was lent`, { details: { ref: id } });
    throw new BrowseError("stale_ref", `${id} is from a page that was left long ago`, { details: { ref: id } });
  }

  buryAll(): void {
    for (const id of [...this.#refs.keys()]) this.#bury(id);
    this.#byElement.clear();
  }

  /** Says of none of them what it was. */
  forgetAll(): void {
    this.#refs.clear();
    this.#byElement.clear();
    this.#tombstones.clear();
    this.#forgotten = this.#last;
  }

  #idsOf(frame: Frame, doc: DocumentId): Map<ElementNumber, string> {
    let known = this.#byElement.get(frame);
    if (known?.doc === doc) return known.ids;
    this.#buryDetached();
    if (known) for (const id of known.ids.values()) this.#bury(id);
    known = { doc, shown: documentOf(frame), ids: new Map() };
    this.#byElement.set(frame, known);
    return known.ids;
  }

  /** Of a document that the frame shows no more. One that was left does not come back: it is loaded anew. */
  #buryLeft(frame: Frame): void {
    const known = this.#byElement.get(frame);
    const shown = documentOf(frame);
    if (known?.shown === undefined || shown === undefined || shown === known.shown) return;
    for (const id of known.ids.values()) this.#bury(id);
    this.#byElement.delete(frame);
  }

  #buryDetached(): void {
    for (const [frame, { ids }] of this.#byElement) {
      if (!frame.isDetached()) continue;
      for (const id of ids.values()) this.#bury(id);
      this.#byElement.delete(frame);
    }
  }

  #bury(id: string): void {
    const ref = this.#refs.get(id);
    if (!ref) return;
    this.#refs.delete(id);
    this.#tombstones.set(id, { role: ref.role, name: headOf(ref.name, 120) });
    for (const oldest of this.#tombstones.keys()) {
      if (this.#tombstones.size <= MAX_TOMBSTONES) break;
      this.#tombstones.delete(oldest);
    }
  }

  /** A tenth at a time, so that it is seldom done. */
  #forgetOldest(): void {
    let left = MAX_REFS / 10;
    for (const id of this.#refs.keys()) {
      if (--left < 0) break;
      this.#bury(id);
    }
  }
}

/** What of an element may change while its ref stays. */
function told({ text }: NewRef): Pick<Ref, "text"> {
  return text === undefined ? {} : { text };
}

/** A name as messages show it. */
export function quoted(name: string): string {
  const cut = name.length > 80 ? `${name.slice(0, 79)}…` : name;
  // What is no whole character, or cut in half, would be spelled out.
  return JSON.stringify(cut.toWellFormed());
}

/** `@e3 [button] "Save"`, or `@e4 [listitem] text="Write the docs"` of what has no name. */
export function labelOf({ id, role, name, text }: Pick<Ref, "id" | "role" | "name" | "text">): string {
  return `${id} [${role}] ${name === "" && text ? `text=${quoted(text)}` : quoted(name)}`;
}
