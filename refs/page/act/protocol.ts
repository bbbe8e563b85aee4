/** What the daemon asks of the acting half of the in-page code, and what it answers. Types only; every answer is JSON. */
import type { Changes, EffectOperations } from "../effects/protocol.ts";
import type { Box, Described, DocumentId, ElementId, ElementNumber, Gone, Point } from "../protocol.ts";

/** The element that is to be acted on, and what it was when its ref was given. */
export interface Expected extends ElementId {
  role: string;
  name: string;
}

/** Why the element cannot be acted on as asked. */
export type Refusal =
  | Gone
  /** The same element, but it is something else now: a recycled row, a button with another text. */
  | { state: "renamed"; now: Described }
  | { state: "hidden"; why: string }
  | { state: "disabled"; why: DisabledReason }
  | { state: "covered"; by: Described }
  /** No scrolling brings it into the frame's viewport. */
  | { state: "outside" };

export type DisabledReason = "disabled" | "aria-disabled" | "inert" | "pointer-events" | "readonly";

export interface ProbeParams extends Expected {
  /** From the top left of the element's box; its best point when absent. */
  position?: Point;
  /** Arm the guard: the next press in this document must land on the element. */
  arm: boolean;
  /** Where the press on the element may also land: only that it is in view matters (the end of a drag). */
  anyHit?: boolean;
}

export interface Ready {
  state: "ready";
  /** Where to press, in the frame's viewport. */
  point: Point;
  box: Box;
  /** A control inside the element takes the press: none of its own points can be reached. */
  inner: boolean;
  /** An animation that changes its place or size is running on it or around it. */
  moving: boolean;
  /** It had to be scrolled into view. */
  scrolled: boolean;
  /** The document holds frames, which could take a press that this document's guard never sees. */
  hasFrames: boolean;
}

/** How a point of a child frame is reached through the document that holds the frame. */
export interface ThroughParams extends ElementId {
  /** In the child frame's viewport. */
  point: Point;
  arm: boolean;
  anyHit?: boolean;
}

export type Through = { state: "ready"; point: Point; scrolled: boolean };

export interface GuardReport {
  state: "here";
  /** What the press met: nothing here, the element, or something else (which never heard of it). */
  press: "none" | "element" | "blocked";
  /** The element got the click that ends the gesture. */
  clicked: boolean;
  /** Where the button came up, if this document saw it. */
  released: "element" | "elsewhere" | "unseen";
  /** A native drag has begun, and the page let it. */
  dragging: boolean;
  /** What the element is now. */
  now: "gone" | "hidden" | "disabled" | "usable";
  /** The document is not the one that was armed: that one has been left. */
  left: boolean;
  /** What else was hit. */
  blockedBy?: Described;
  /** The one element that now has the role and name of an element that left. */
  replacement?: Described;
  changes: Changes;
}

/** What a guard tells at once; see refs/act/hit_reports.ts. */
export interface Seen extends Pick<GuardReport, "press" | "clicked"> {
  doc: DocumentId;
}

/** The field holds all but the last character. */
export interface BegunAnswer {
  state: "begun";
  last: string;
  /** It hides what it holds. */
  secret?: boolean;
}

export interface FillAnswer {
  state: "filled";
  /** The field holds exactly what was given. */
  kept: boolean;
  /** It hides what it holds. */
  secret?: boolean;
}

/** What a field is, when it takes its value in another way. */
export type FieldKind = "select" | "checkbox" | "radio" | "file" | "button" | "editable" | "none";

export type BadValue = { state: "bad-value"; type: string; format: string };

export interface OptionAnswer {
  value: string;
  label: string;
}

/** Why the options wanted cannot be chosen. */
export type NoChoice =
  | { state: "no-option"; wanted: string; options: string[]; total: number }
  | { state: "option-disabled"; wanted: string }
  | { state: "single" };

export type SelectAnswer = { state: "selected"; selected: OptionAnswer[] } | NoChoice | { state: "not-native" };

/** Text, options, or whether it is checked. */
export type FillValue = string | string[] | boolean;

export type FillableAnswer =
  | { state: "fillable"; as: "text" | "list" | "check" }
  | { state: "other-kind"; kind: FieldKind }
  /** It has no checked state. */
  | { state: "not-checkable" }
  /** A radio button, which only another of its group can uncheck. */
  | { state: "radio" }
  | { state: "too-long"; max: number }
  | BadValue
  | NoChoice;

export interface CheckState {
  state: "checkable";
  /** Null: not a thing with a checked state. */
  checked: boolean | "mixed" | null;
  radio: boolean;
  /** What to press: the element, or the visible label of a hidden control. */
  press: Described;
}

export interface ListOption extends Described {
  selected: boolean;
}

/** The custom list that belongs to a control. */
export interface ListAnswer {
  state: "list";
  expanded: boolean;
  /** It is a list, or of a kind that pressing may open one. */
  mayOpen: boolean;
  /** Several of its options can be selected. */
  multiple: boolean;
  /** It takes text, by which lists are filtered. */
  editable: boolean;
  /** The text that it holds. */
  value: string;
  /** What it is in, which opens the list as well: some controls are out of sight until then. */
  around?: Described;
  /** Those that can be seen. */
  options: ListOption[];
}

/** Among the elements of its kind beside it, from 1; and what holds them all. */
export interface PlaceAnswer {
  state: "place";
  position: number;
  of: number;
  holder?: Described;
}

export interface PressedOption {
  name: string;
  /** Text was typed into the control to have it offered. */
  typed: boolean;
}

export interface ScrollParams extends Partial<Expected> {
  byX?: number;
  byY?: number;
  to?: "top" | "bottom";
  /** Bring the element into view instead of moving what is in it. */
  intoView?: boolean;
  /** Move nothing, and tell where it stands. */
  still?: boolean;
}

export interface ScrollAnswer {
  state: "scrolled";
  /** CSS pixels moved. */
  x: number;
  y: number;
  top: number;
  /** Nothing is left to scroll in that direction. */
  atEnd: boolean;
}

export interface ActOperations extends EffectOperations {
  probe: { params: ProbeParams; answer: Ready | { state: "option" } | Refusal };
  through: { params: ThroughParams; answer: Through | Refusal };
  /** What the guard saw; disarms it unless the gesture goes on. */
  hitReport: { params: Partial<Expected> & { keep?: boolean }; answer: GuardReport };
  document: { params: Record<string, never>; answer: { doc: DocumentId } };
  fill: {
    /** `isSearch`: it is to find something by, and need not stay. */
    params: Expected & { value: string; isSearch?: true };
    answer:
      | FillAnswer
      | BegunAnswer
      | { state: "other-kind"; kind: FieldKind }
      | BadValue
      | { state: "too-long"; max: number }
      | Refusal;
  };
  /** Whether `fill`, `select` or a press could do it; nothing is touched. */
  fillable: { params: Expected & { value: FillValue }; answer: FillableAnswer | Refusal };
  /** The file field that the element is, labels or holds; null when there is none. */
  fileField: {
    params: Expected;
    answer: { state: "file-field"; field: { n: ElementNumber; multiple: boolean } | null } | Refusal;
  };
  /** Begins to look at drags over the document. */
  watchDrag: { params: Expected; answer: { state: "here" } | Refusal };
  dragSeen: { params: Expected; answer: { state: "here"; over: boolean; accepted: boolean } | Refusal };
  /** Where the element is, or the one that has come into its place with the same role and name. */
  placeOf: { params: Expected; answer: PlaceAnswer | Refusal };
  /** After text was typed into it by the driver: tells the page that the edit is over, and compares. */
  commit: { params: Expected & { value: string }; answer: FillAnswer | Refusal };
  select: { params: Expected & { values: string[] }; answer: SelectAnswer | Refusal };
  /** Selects an option of a native list by the option itself. */
  pick: { params: Expected; answer: SelectAnswer | Refusal };
  /** With `wanted`: when that is its state, it is expected to stay so. */
  checkState: { params: Expected & { wanted?: boolean }; answer: CheckState | Refusal };
  /** Visible options of the custom list that belongs to the element. `first` before it is pressed, which may rename it. */
  listOptions: { params: Expected & { first?: boolean }; answer: ListAnswer | Refusal };
  /** Whether the list's control, whatever its name has become, has taken the option that was pressed. */
  listShows: {
    params: Pick<Expected, "doc" | "n"> & { option: ElementNumber } & PressedOption;
    answer: { state: "shows"; taken: boolean } | Refusal;
  };
  /** Takes the focus from the list's control; nothing is done when it is `inside` the list. */
  leaveList: { params: Pick<Expected, "doc" | "n">; answer: { state: "here"; inside: boolean } | Refusal };
  /** The text is about to be typed where the focus is. */
  beginTyping: { params: { text: string }; answer: { state: "here" } };
  /** How many of its characters the field has taken; nothing of what is no field, or has passed the focus on. */
  endTyping: { params: Record<string, never>; answer: { state: "here"; taken?: number } };
  /** What has the keyboard focus, in shadow trees too, and whether it hides what it holds; a frame when it is in that. */
  focused: {
    params: Record<string, never>;
    answer: { state: "here"; doc: DocumentId; focused?: Described; secret?: boolean; holds: boolean };
  };
  /** Has this document the keyboard focus, not a frame in it nor one beside it? With an element: has that, or what is in it? */
  holdsFocus: { params: Partial<Pick<Expected, "doc" | "n">>; answer: { state: "here"; holds: boolean } };
  /** `append`: what is typed then comes after what is there, unless the element has the focus already. */
  focusOn: { params: Expected & { append?: boolean }; answer: { state: "focused"; focused: boolean } | Refusal };
  scroll: { params: ScrollParams; answer: ScrollAnswer | Refusal };
}
