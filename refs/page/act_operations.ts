/** The acting half of the in-page code: every operation that looks before an action, does one, or says what came of it. */

import { disabledReason, hiddenReason } from "./act/actionable.ts";
import { checkState, controlOf, pressedFor } from "./act/checks.ts";
import { pick, select } from "./act/choices.ts";
import { DragWatch } from "./act/drops.ts";
import { commitEdit, fieldOf, otherKind } from "./act/fields.ts";
import { fillable } from "./act/fillable.ts";
import { fileField, fill } from "./act/filling.ts";
import { HitGuard } from "./act/hit_guard.ts";
import { HIT_REPORT } from "./act/hit_report_name.ts";
import { Lists } from "./act/lists.ts";
import { placeOf } from "./act/place.ts";
import { probe, through } from "./act/probe.ts";
import type { ActOperations, CheckState, Expected, FillAnswer, GuardReport, Refusal, Seen } from "./act/protocol.ts";
import { isSameName } from "./act/same_name.ts";
import { scroll } from "./act/scrolling.ts";
import { attributeOf, body, elementMatches, focusedElement, has, rootElement } from "./dom/dom.ts";
import type { Elements } from "./dom/elements.ts";
import { holds } from "./dom/geometry.ts";
import { changedLines } from "./effects/changed_lines.ts";
import type { ChangeCounter } from "./effects/changes.ts";
import type { Changes } from "./effects/protocol.ts";
import { Typing } from "./effects/typing.ts";
import type { Described } from "./protocol.ts";

type Handlers = { [Op in keyof ActOperations]: (params: ActOperations[Op]["params"]) => ActOperations[Op]["answer"] };

/** What describes an element as the reader does, and finds those that now go by a role and name. */
export interface Naming {
  /** `asRole`: what its ref found it as, when that is not its own role. */
  describe(element: Element, asRole?: string): Described;
  /** The field holds what no answer shows. */
  isSecret(field: Element): boolean;
  /** The one element with that role and name; undefined when there are more or none. */
  only(role: string, name: string): Described | undefined;
}

/** Refused fields that are told one by one. */
const MAX_REFUSED = 5;
const HAS_FOCUS = ":focus, :focus-within";
/** The browser's words for why, or the page's; and a value that the page made of another. Characters. */
const MAX_MESSAGE = 200;

/** One document's operations, with the state they share: the guard on its presses and the count of its changes. */
export function actOperations(elements: Elements, naming: Naming, changes: ChangeCounter): Handlers {
  const describe = (element: Element) => naming.describe(element);
  const guard = new HitGuard(describe, (seen) => bearWitness({ doc: elements.doc, ...seen }));
  const drags = new DragWatch();
  const lists = new Lists();
  const typing = new Typing(changes.fields);
  /** Before it was pressed. */
  let wasOpen = false;

  const isSame = (element: Element, { role, name }: Expected): boolean => {
    const now = naming.describe(element, role);
    return now.role === role && isSameName(name, now.name);
  };
  /** Runs `act` on the element when it still is what its ref names. */
  const on = <Answer>(expected: Expected, act: (element: Element) => Answer): Answer | Refusal => {
    const element = elements.find(expected);
    if (!element) return elements.gone(expected);
    if (!isSame(element, expected)) return { state: "renamed", now: naming.describe(element, expected.role) };
    changes.include(element);
    return act(element);
  };

  const answered = <Answer>(field: Element, answer: Answer): Answer => {
    changes.fields.answer(field);
    return answer;
  };

  /** What a field was filled with is what it is to hold from now on. */
  const filled = (field: Element, value: string, answer: FillAnswer): FillAnswer => {
    changes.fields.expect(field, value);
    return { ...answer, secret: naming.isSecret(field) };
  };

  const chosenIn = (list: HTMLSelectElement) => changes.fields.choose(list);

  /** What a press has checked, or the opposite, is to be so from now on. */
  const checked = (element: Element, wanted: boolean): void => {
    const now = () => checkState(element, describe).checked;
    changes.fields.give(controlOf(element), { isKept: () => now() === wanted, held: () => now() === true });
  };

  /** Why it is not, any more, what its ref names. */
  const lost = (expected: Expected): Refusal | undefined => {
    const now = on(expected, () => ({ state: "same" as const }));
    return now.state === "same" ? undefined : now;
  };

  return {
    probe: (params) =>
      on(params, (element) => {
        const pressed = pressedFor(element);
        const answer = probe(pressed, params, describe);
        wasOpen = isOpen(element);
        if (params.arm && answer.state === "ready") guard.arm(pressed, () => isSame(element, params), answer.inner);
        return answer;
      }),
    through: (params) => {
      const frame = elements.find(params);
      if (!frame) return elements.gone(params);
      changes.include(frame);
      const answer = through(frame, params, describe);
      if (params.arm && answer.state === "ready") guard.armAround(frame);
      return answer;
    },
    hitReport: (params) => report(params),
    document: () => ({ doc: elements.doc }),
    watch: ({ shows = false }) => {
      changes.begin({ shows });
      return { state: "here" };
    },
    changes: ({ end }) => {
      const answer = { state: "here" as const, ...seen() };
      if (end) changes.end(end === "told");
      return answer;
    },
    changedLines: ({ max }) => {
      const { shown, fields } = changes;
      const none = { doc: elements.doc, lines: [], more: 0 };
      return shown ? changedLines(shown, { elements, isAnswered: (field) => fields.isAnswered(field), max }) : none;
    },
    fill: (params) =>
      on(params, (element) => {
        const field = fieldOf(element);
        const answer = fill(field, params.value, () => lost(params));
        if (answer.state === "begun") return { ...answer, secret: naming.isSecret(field) };
        if (answer.state !== "filled") return answer;
        return params.isSearch ? answered(field, answer) : filled(field, params.value, answer);
      }),
    fillable: (params) => on(params, (element) => fillable(element, params.value, describe)),
    fileField: (params) => on(params, (element) => fileField(element, (field) => elements.numberOf(field))),
    watchDrag: (params) =>
      on(params, () => {
        drags.begin();
        return { state: "here" as const };
      }),
    dragSeen: (params) => on(params, (element) => ({ state: "here" as const, ...drags.end(element) })),
    placeOf: (params) => {
      const element =
        elements.find(params) ?? elements.find({ doc: params.doc, n: naming.only(params.role, params.name)?.n ?? -1 });
      return element ? placeOf(element, describe) : elements.gone(params);
    },
    commit: (params) => {
      // What was typed may have given it another name.
      const element = elements.find(params);
      if (!element) return elements.gone(params);
      const field = fieldOf(element);
      const answer = commitEdit(field, params.value);
      if (otherKind(field) === undefined) return filled(field, params.value, answer);
      changes.fields.write(field as HTMLElement, params.value);
      return answer;
    },
    select: (params) =>
      on(params, (element) => {
        const list = fieldOf(element);
        const answer = answered(list, select(list, params.values, chosenIn));
        const [option] = answer.state === "selected" ? answer.selected : [];
        if (option && list instanceof HTMLInputElement) changes.fields.expect(list, option.value);
        return answer;
      }),
    pick: (params) => on(params, (option) => answered(option.closest("select") ?? option, pick(option, chosenIn))),
    checkState: ({ wanted, ...params }) =>
      on(params, (element): CheckState => {
        const state = checkState(element, describe);
        if (wanted !== undefined && state.checked === wanted) checked(element, wanted);
        return state;
      }),
    listOptions: (params) => {
      if (params.first) return on(params, (element) => lists.look(element, { first: true }, describe));
      const control = elements.find(params);
      return control ? lists.look(control, { first: false }, describe) : elements.gone(params);
    },
    listShows: (params) => {
      const control = elements.find(params);
      if (!control) return elements.gone(params);
      const option = elements.find({ doc: params.doc, n: params.option });
      return { state: "shows", taken: lists.hasTaken(control, option, params) };
    },
    leaveList: (params) => {
      const control = elements.find(params);
      return control ? { state: "here", inside: lists.leave(control) } : elements.gone(params);
    },
    beginTyping: ({ text }) => {
      const focused = focusedElement();
      if (focused) typing.begin(focused, text);
      return { state: "here" };
    },
    endTyping: () => ({ state: "here", ...typing.end() }),
    focused: () => {
      const focused = focusedElement();
      const isNone = !focused || focused === body() || focused === rootElement();
      return {
        state: "here",
        doc: elements.doc,
        holds: holdsFocus(focused),
        ...(!isNone && { focused: describe(focused), secret: naming.isSecret(focused) }),
      };
    },
    holdsFocus: ({ doc, n }) => {
      const focused = focusedElement();
      const element = doc !== undefined && n !== undefined ? elements.find({ doc, n }) : undefined;
      const isThere = n === undefined || (element && focused && (holds(element, focused) || holds(focused, element)));
      return { state: "here", holds: isThere === true && holdsFocus(focused) };
    },
    focusOn: ({ append = false, ...expected }) =>
      on(expected, (element) => {
        const had = elementMatches(element, HAS_FOCUS);
        (element as HTMLElement).focus();
        // Of fields of any type, where the caret cannot be set by its place.
        if (append && !had) document.getSelection()?.modify("move", "forward", "documentboundary");
        return { state: "focused" as const, focused: elementMatches(element, HAS_FOCUS) };
      }),
    scroll: (params) => {
      const { doc, n, role, name } = params;
      if (doc === undefined || n === undefined || role === undefined || name === undefined) {
        return scroll(undefined, params);
      }
      return on({ doc, n, role, name }, (element) => scroll(element, params));
    },
  };

  function seen(): Changes {
    const { focused, fields } = changes;
    const refused = fields.refused.slice(0, MAX_REFUSED).map((field) => ({
      field: describe(field).name,
      message: field.validationMessage.slice(0, MAX_MESSAGE),
    }));
    const rewritten = fields.rewritten.map(({ field, held }) => {
      const value = typeof held === "boolean" ? { checked: held } : { value: held.slice(0, MAX_MESSAGE) };
      return { field: describe(field).name, ...(!naming.isSecret(field) && value) };
    });
    return {
      ...changes.read(),
      ...(refused.length > 0 && { refused }),
      ...(rewritten.length > 0 && { rewritten }),
      ...(focused && { focused: { doc: elements.doc, ...describe(focused) } }),
    };
  }

  function report({ doc, n, role, name, keep }: ActOperations["hitReport"]["params"]): GuardReport {
    const element = doc !== undefined && n !== undefined ? elements.find({ doc, n }) : undefined;
    const answer: GuardReport = {
      state: "here",
      ...guard.report,
      now: element ? usability(element) : "gone",
      ...(isOpened(element, wasOpen) && { clicked: guard.report.clicked || guard.report.press === "element" }),
      left: doc !== undefined && doc !== elements.doc,
      changes: { ...seen(), pending: guard.isScripted },
    };
    if (!keep) guard.disarm();
    const isLost = !element && role !== undefined && name !== undefined;
    const replacement = isLost ? naming.only(role, name) : undefined;
    return replacement ? { ...answer, replacement } : answer;
  }
}

/** Of a frame that has it, every document around it says that it has the focus, with the frame. */
function holdsFocus(focused: Element | null): boolean {
  return document.hasFocus() && !(focused && elementMatches(focused, "iframe,frame,object,embed"));
}

/** Not there in frames of another process than the page's, nor before the first press; an element may be called so. */
function bearWitness(seen: Seen): void {
  if (!Object.hasOwn(globalThis, HIT_REPORT)) return;
  const tell = (globalThis as { [HIT_REPORT]?: (payload: string) => void })[HIT_REPORT];
  if (typeof tell === "function") tell(JSON.stringify(seen));
}

/** A list that opens when the mouse comes down takes the rest of the press for itself: native ones, and some others. */
function isOpened(element: Element | undefined, wasOpen: boolean): boolean {
  return element instanceof HTMLSelectElement || (element !== undefined && !wasOpen && isOpen(element));
}

function isOpen(element: Element): boolean {
  return has(element, "aria-haspopup") && attributeOf(element, "aria-expanded") === "true";
}

function usability(element: Element): GuardReport["now"] {
  if (hiddenReason(element)) return "hidden";
  return disabledReason(element) ? "disabled" : "usable";
}
