/**
 * What the daemon may ask of the reader that lives in each document's isolated world, and what it answers.
 * Shared, as types only, by both sides. Every answer is JSON.
 */
import type { HiddenTexts } from "../../security/content/hidden_text.ts";

/** The reader's number for an element: counts up in its document, never reused there. */
export type ElementNumber = number;

/** Tells one document from every other, those of the same frame included. */
export type DocumentId = string;

/** Why a person could not see it, in the order in which they are looked for. */
export type HiddenReason =
  | "display"
  | "visibility"
  | "opacity"
  | "zero-size"
  | "clipped"
  | "off-screen"
  | "mask"
  | "filter"
  | "same-color"
  | "covered"
  | "aria-hidden"
  | "label-mismatch";

export interface ElementStates {
  checked?: boolean | "mixed";
  pressed?: boolean | "mixed";
  selected?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  required?: boolean;
  readonly?: boolean;
  /** Can be typed into, which its role does not say. */
  editable?: boolean;
  invalid?: boolean;
  /** Has the keyboard focus. */
  active?: boolean;
  current?: string;
  level?: number;
}

/** One line of a snapshot, in document order; `depth` gives the tree. */
export interface ReadNode {
  /** Absent for text. */
  n?: ElementNumber;
  depth: number;
  role: string;
  name: string;
  /** Its name only repeats what its children say: not to be shown. */
  quiet?: true;
  /** All that it contains, when that is text its name does not say. */
  text?: string;
  /** Input type, where the role does not tell how the field is filled in: `date`, `file`… */
  type?: string;
  /** Live value of a field; "•••" for passwords and one-time codes. */
  value?: string;
  /** Where a link leads, absolute. */
  url?: string;
  placeholder?: string;
  description?: string;
  /** Its id, or its first classes, as CSS, where nothing else says what it is. */
  markup?: string;
  /** Text of the row or card that it is in, where others have the same role and name. */
  within?: string;
  states?: ElementStates;
  hidden?: HiddenReason;
  /** An iframe: the child frame's own tree belongs under this node. */
  frame?: true;
  /** Of a frame, when only the viewport is read: the part of it that is in view, in its own coordinates. */
  seen?: Box;
  interactive?: true;
  /** Found by the clickable scan, not by role: how. */
  clickable?: string;
}

export interface ReadOptions {
  /** Interactive things, and the headings and landmarks that tell them apart. */
  interactive?: boolean;
  /** Drop structure without a name. */
  compact?: boolean;
  /** Deepest level shown; 1 is the top. */
  depth?: number;
  /** Read below this element only. */
  root?: ElementNumber;
  /** Nodes inside the viewport only. */
  viewport?: boolean;
  /** The part of the frame's own viewport that the page's window shows; all of it when absent. */
  window?: Box;
  /** Topmost open dialog only; an answer without nodes when there is none. */
  modal?: boolean;
  /** Add clickable things that have no role of their own, or read nothing else. */
  clickable?: boolean | "only";
  /** Stop collecting after so many nodes (they are still counted). */
  maxNodes: number;
}

export interface ReadAnswer {
  doc: DocumentId;
  url: string;
  title: string;
  /** Nodes that the options select, collected or not. */
  total: number;
  nodes: ReadNode[];
  /** Elements that may hold a closed shadow root, to be opened by the debugger. */
  unopened?: number;
  /** Text that the reading came upon and that nobody sees. */
  hidden?: HiddenTexts;
}

/** An element as a person would name it. */
export interface Described {
  n: ElementNumber;
  role: string;
  name: string;
  tag: string;
  /** The beginning of its text, when it has no name. */
  text?: string;
  /** When asked for. */
  locators?: Locators;
}

/** What an element can be found by again, in another document of the same kind, beside its role and name. */
export interface Locators {
  testid?: string;
  label?: string;
  placeholder?: string;
  /** All its text, where it is short. */
  text?: string;
  /** From the nearest id, or from the top; absent inside of shadow trees. */
  css?: string;
  /** Words of its name that no other element of its role has in its own, in lower case. */
  words?: string[];
  /** Others are called as it is: its role, label and text find them too. */
  isRepeated?: true;
}

export type QueryBy = "css" | "role" | "text" | "label" | "placeholder" | "testid";

export interface Query {
  by: QueryBy;
  /** CSS text, role name, or what the text, label, placeholder or test id must be. */
  value: string;
  /** Accessible name, for `role`. */
  name?: TextMatch;
  /** How `value` is compared, for text, label, placeholder. */
  match?: TextMatch;
  /** How many to describe. */
  max: number;
  /** With the locators of the first. */
  locate?: boolean;
}

/** Text after white space is folded. `auto`: equal if anything is, else contained, case ignored. */
export interface TextMatch {
  text: string;
  how: "exact" | "ignore-case" | "auto" | "regex";
  /** Regex flags. */
  flags?: string;
}

export interface Found extends Described {
  visible: boolean;
  /** What the row or card says that it is in, where others of its role and name match. */
  row?: string;
}

export interface QueryAnswer {
  doc: DocumentId;
  count: number;
  /** How many of them a person can see. */
  visible: number;
  /** The first of them, those that can be seen before the others. */
  found: Found[];
  /** The selector itself is wrong: why. */
  error?: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export interface PlacedBox extends Box {
  /** Of a frame: where its own viewport begins. */
  content?: Point;
}

/** An element of one document. */
export interface ElementId {
  doc: DocumentId;
  n: ElementNumber;
}

export type Gone = { state: "gone"; why: "document" | "removed"; doc: DocumentId; replacement?: Described };

/** Every operation, by name. `Gone` is the answer to any that names an element that is no longer there. */
export interface Operations {
  read: { params: ReadOptions; answer: ReadAnswer | Gone };
  /** Begins to hear of elements that the page listens on; `type` is the event's secret name. The next `read` ends it. `closed`: shadow roots that only the debugger sees into. */
  listen: { params: { type: string }; answer: { doc: DocumentId; closed: number } };
  /** Where elements are, in the frame's viewport; null for what has no box. */
  boxes: { params: { numbers: ElementNumber[] }; answer: { doc: DocumentId; boxes: (PlacedBox | null)[] } };
  query: { params: Query & { within?: ElementId }; answer: QueryAnswer };
  /** How far its window is, in whole CSS pixels. */
  scrolled: { params: Record<string, never>; answer: Point };
  /** All items of an area, none where the document has no such area. */
  stored: {
    params: { area: "local" | "session" };
    answer: { origin: string; items: [key: string, value: string][] };
  };
  store: { params: { area: "local" | "session"; key: string; value: string }; answer: { refused?: string } };
  /** Element still there? */
  describe: {
    params: ElementId & { role?: string; name?: string; locate?: boolean };
    answer: (Described & { state: "here" }) | Gone;
  };
  /** MIME type of the document: the browser shows PDFs and pictures in ones of its own. */
  contentType: { params: Record<string, never>; answer: { type: string } };
  /** Text as a person reads it; the whole document without an element. `frames`: where child frames' text goes. */
  text: {
    params: Partial<ElementId>;
    answer: { state: "here"; text: string; frames: { n: ElementNumber; at: number }[]; hidden?: HiddenTexts } | Gone;
  };
  /** Plain HTML of what is seen; `<browse-frame n="…">` stands where a frame's own document belongs. */
  readable: {
    params: Partial<ElementId>;
    answer: { state: "here"; html: string; frames: ElementNumber[]; hidden?: HiddenTexts } | Gone;
  };
  links: { params: Partial<ElementId>; answer: { state: "here"; links: { text: string; url: string }[] } | Gone };
  forms: { params: Record<string, never>; answer: { doc: DocumentId; forms: FormDescription[] } };
  html: { params: Partial<ElementId> & { outer?: boolean }; answer: { state: "here"; html: string } | Gone };
  attributes: { params: ElementId; answer: { state: "here"; attributes: Record<string, string> } | Gone };
  style: { params: ElementId & { property?: string }; answer: { state: "here"; style: Record<string, string> } | Gone };
  /** Live value of a field, masked when it is a password or one-time code. */
  value: { params: ElementId; answer: { state: "here"; value: string | string[] | null; masked: boolean } | Gone };
  status: { params: ElementId; answer: ({ state: "here" } & ElementStatus) | Gone };
}

export interface ElementStatus {
  visible: boolean;
  enabled: boolean;
  checked: boolean | "mixed" | null;
  editable: boolean;
  focused: boolean;
  /** In the frame's viewport coordinates, CSS pixels. */
  box: Box;
}

export interface FormDescription {
  action: string;
  method: string;
  name: string;
  fields: FieldDescription[];
}

export interface FieldDescription {
  tag: string;
  type: string;
  name: string;
  /** Its accessible name. */
  label: string;
  required: boolean;
  disabled: boolean;
  /** Masked when secret. */
  value: string;
  checked?: boolean;
  options?: { value: string; label: string; selected: boolean }[];
  /** Beside those. */
  moreOptions?: number;
  /** The number and role, so that a ref can be given. */
  n: ElementNumber;
  role: string;
}
