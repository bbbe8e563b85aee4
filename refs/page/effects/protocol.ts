/** What the daemon asks of what changes in a document, and what it is answered. Types only; every answer is JSON. */
import type { Described, DocumentId, ReadNode } from "../protocol.ts";

export interface Counted {
  /** Nodes added, removed or changed since the watch began. */
  changed: number;
  /** Of these, how many are not what was acted on. */
  beyond: number;
  /** Milliseconds since the last of them. */
  quietMs: number;
  /** What the page is called now, where it was called something else; `nodes`: how many of those that changed are its title's. */
  title?: { now: string; nodes: number };
  /** The window has been told to close. */
  closing: boolean;
  /** The address of a link that downloads, when it was clicked and the page did not prevent it. */
  downloading?: string;
  /** A file field was clicked, and the page did not prevent it. */
  choosing?: true;
  /** Something has begun to move. */
  animating?: boolean;
  /** Nodes that changed between the end of the last action and the beginning of this; absent for none. */
  later?: number;
}

export interface Changes extends Counted {
  /** The press was on a `javascript:` link, whose script has yet to run, as a task of its own. */
  pending?: boolean;
  /** Fields whose values the browser does not send, and its words for why: the first 5. */
  refused?: { field: string; message: string }[];
  /** Controls that the page gave another value, or state, than the action did. Absent of secret ones: what they hold. */
  rewritten?: { field: string; value?: string; checked?: boolean }[];
  /** What has come to have the focus, when it is not what was acted on. */
  focused?: Described & { doc: DocumentId };
}

/** A line of a snapshot that has changed. */
export interface ChangedLine {
  kind: "added" | "removed" | "changed" | "moved";
  /** Of what is gone: role `text`, with its number when it has been named before. */
  node: ReadNode;
  /** The text of what was in its place. */
  was?: string;
  /** The number of what was in its place, and said the same. */
  wasN?: number;
  /** How many have been named before of what is in it. */
  inside?: number;
}

export interface ChangedLines {
  doc: DocumentId;
  lines: ChangedLine[];
  /** How many there are beside those. */
  more: number;
}

/** Part of the acting half. */
export interface EffectOperations {
  /** Begins to count changes; `shows`: and to know which they are. */
  watch: { params: { shows?: boolean }; answer: { state: "here" } };
  /** What changed since. With `end` the action is over, and its caller has been told of what it did or has not. */
  changes: { params: { end?: "told" | "untold" }; answer: { state: "here" } & Changes };
  /** Which they are: the `max` lines that tell most. */
  changedLines: { params: { max: number }; answer: ChangedLines };
}
