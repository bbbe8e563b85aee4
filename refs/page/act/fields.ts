/** Putting values into fields so that the page takes them for typed: native setters, then input and change events. */

import { elementMatches, fold, queryAll } from "../dom/dom.ts";
import type { BadValue, BegunAnswer, FieldKind, FillAnswer, NoChoice, OptionAnswer, SelectAnswer } from "./protocol.ts";

/** Told when the options of a list are selected, before its page hears of it. */
export type ChosenIn = (list: HTMLSelectElement) => void;

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Options named in an answer that has none that was wanted. */
const MAX_OPTIONS = 10;

/** What a value of each type looks like (HTML, 4.10.5.1). */
const FORMATS: Readonly<Record<string, string>> = {
  number: "a number",
  date: "an existing date as YYYY-MM-DD",
  time: "a time as HH:MM",
  "datetime-local": "an existing date and time as YYYY-MM-DDTHH:MM",
  month: "a month as YYYY-MM",
  week: "an existing week as YYYY-Www",
  color: "a color as #rrggbb",
};

const KINDS: Readonly<Record<string, FieldKind>> = {
  checkbox: "checkbox",
  radio: "radio",
  file: "file",
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
};

/** How the element takes its value; undefined for the fields that `setValue` fills. */
export function otherKind(element: Element): FieldKind | undefined {
  if (element instanceof HTMLTextAreaElement) return undefined;
  if (element instanceof HTMLInputElement) return KINDS[element.type];
  if (element instanceof HTMLSelectElement) return "select";
  return (element as HTMLElement).isContentEditable ? "editable" : "none";
}

/** The field that a label stands for. */
export function fieldOf(element: Element): Element {
  return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

type Unfit = BadValue | { state: "too-long"; max: number };

/** Why the field does not take the value; undefined when it does. */
export function refuseValue(field: TextField, value: string): Unfit | undefined {
  const wanted = asKept(field, value);
  const format = field instanceof HTMLInputElement ? formatOf(field) : undefined;
  if (format !== undefined && !accepts(field as HTMLInputElement, wanted))
    return { state: "bad-value", type: field.type, format };
  return field.maxLength >= 0 && wanted.length > field.maxLength
    ? { state: "too-long", max: field.maxLength }
    : undefined;
}

/** Undefined for types that take any text. */
function formatOf(field: HTMLInputElement): string | undefined {
  return field.type === "range" ? rangeOf(field) : FORMATS[field.type];
}

/** Its ends and steps, with what counts where the page gives none (HTML, 4.10.5.1.13). */
function rangeOf({ min, max, step }: HTMLInputElement): string {
  const [from, to, by] = [numberOr(min, 0), numberOr(max, 100), numberOr(step, 1)];
  const steps = step.toLowerCase() === "any" ? "" : `, in steps of ${by > 0 ? by : 1}`;
  return `a number from ${from} to ${to}${steps}`;
}

function numberOr(text: string, otherwise: number): number {
  const number = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : otherwise;
}

function asKept(field: TextField, value: string): string {
  return field instanceof HTMLTextAreaElement ? value.replace(/\r\n?/g, "\n") : value;
}

/** `changed`: asked when the page has heard of the focus, for what makes it another field then. */
export function setValue<Change extends object = never>(
  field: TextField,
  value: string,
  changed: () => Change | undefined = () => undefined,
): FillAnswer | Unfit | Change {
  const unfit = refuseValue(field, value);
  if (unfit) return unfit;
  const wanted = asKept(field, value);
  field.focus({ preventScroll: false });
  const change = changed();
  if (change) return change;
  setNatively(field, wanted);
  announce(field, wanted);
  return { state: "filled", kept: sameValue(field.type, field.value, wanted) };
}

/** All of the value but its last character: that is for the browser to put in, as a key would. */
export function beginValue<Change extends object>(
  field: TextField,
  value: string,
  changed: () => Change | undefined,
): BegunAnswer | Unfit | Change {
  const unfit = refuseValue(field, value);
  if (unfit) return unfit;
  const characters = [...asKept(field, value)];
  const last = characters.pop() ?? "";
  field.focus({ preventScroll: false });
  const change = changed();
  if (change) return change;
  setNatively(field, characters.join(""));
  return { state: "begun", last };
}

/** Browsers hold to `minlength` what was typed last, and nothing that a script has put in. */
export function isTooShort({ minLength }: TextField, value: string): boolean {
  return value !== "" && value.length < minLength;
}

/** The isolated world has prototypes of its own: what the page put over `value` (React's tracker) is not called. */
function setNatively(field: TextField, value: string): void {
  const before = field.value;
  field.value = value;
  if (before !== value && typeof field.selectionStart === "number") field.setSelectionRange(value.length, value.length);
}

function announce(field: Element, value: string): void {
  const inputType = value === "" ? "deleteContentBackward" : "insertReplacementText";
  field.dispatchEvent(
    new InputEvent("input", { bubbles: true, composed: true, inputType, data: value === "" ? null : value }),
  );
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Tries the value on a copy, so that a refused one leaves the field as it was. */
function accepts(field: HTMLInputElement, value: string): boolean {
  if (value === "") return field.type !== "range" && field.type !== "color";
  const copy = field.cloneNode() as HTMLInputElement;
  copy.value = value;
  if (field.type === "number") return copy.value === value && copy.value.trim() !== "";
  // A range rounds to its steps and keeps to its ends: a value that only these changed is still refused.
  if (field.type === "range") return Number(copy.value) === Number(value);
  return sameValue(field.type, copy.value, value);
}

/** Colors and times are kept in a normal form: "#ABC123" in small letters, "10:00:00" as "10:00". */
export function sameValue(type: string, now: string, wanted: string): boolean {
  if (now === wanted) return true;
  if (type === "color") return now === wanted.toLowerCase();
  return (type === "time" || type === "datetime-local") && `${now}:00` === wanted;
}

/** Tells a page that an edit made by typing is over. */
export function commitEdit(element: Element, wanted: string): FillAnswer {
  element.dispatchEvent(new Event("change", { bubbles: true }));
  if (otherKind(element) === undefined) return { state: "filled", kept: (element as TextField).value === wanted };
  const text = (element as HTMLElement).innerText ?? "";
  return { state: "filled", kept: fold(text) === fold(wanted) };
}

export function selectIn(list: HTMLSelectElement, values: string[], chosenIn: ChosenIn): SelectAnswer {
  const chosen = optionsFor(list, values);
  return "state" in chosen ? chosen : selectOptions(list, chosen, chosenIn);
}

/** The options that the values mean, or why they are none that can be chosen. */
export function optionsFor(list: HTMLSelectElement, values: string[]): Set<HTMLOptionElement> | NoChoice {
  if (!list.multiple && values.length !== 1) return { state: "single" };
  const chosen = new Set<HTMLOptionElement>();
  for (const wanted of values) {
    const option = findOption([...list.options], wanted);
    if (!option) return noOption([...list.options], wanted);
    if (elementMatches(option, ":disabled")) return { state: "option-disabled", wanted };
    chosen.add(option);
  }
  return chosen;
}

/** A text field with suggestions of its own (`datalist`) takes the value of the one chosen. */
export function selectSuggested(field: HTMLInputElement, list: HTMLElement, values: string[]): SelectAnswer {
  const [wanted] = values;
  if (wanted === undefined || values.length > 1) return { state: "single" };
  const options = queryAll(list, "option") as HTMLOptionElement[];
  const option = findOption(options, wanted);
  if (!option) return noOption(options, wanted);
  setValue(field, option.value);
  return { state: "selected", selected: [answerOf(option)] };
}

function noOption(options: HTMLOptionElement[], wanted: string): NoChoice {
  const names = options.map((each) => fold(each.label) || each.value);
  return { state: "no-option", wanted, options: names.slice(0, MAX_OPTIONS), total: names.length };
}

function findOption(options: HTMLOptionElement[], wanted: string): HTMLOptionElement | undefined {
  const text = fold(wanted);
  return (
    options.find((option) => option.value === wanted) ??
    options.find((option) => fold(option.label) === text || fold(option.text) === text) ??
    onlyOne(options.filter((option) => fold(option.label).toLowerCase() === text.toLowerCase()))
  );
}

function onlyOne<T>(found: T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** Exactly these; the option alone in a list of one, added to the rest when a single option of many is picked. */
export function selectOptions(
  list: HTMLSelectElement,
  chosen: Set<HTMLOptionElement>,
  chosenIn: ChosenIn,
): SelectAnswer {
  list.focus();
  for (const option of list.options) option.selected = chosen.has(option);
  chosenIn(list);
  list.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  list.dispatchEvent(new Event("change", { bubbles: true }));
  return { state: "selected", selected: [...chosen].map(answerOf) };
}

function answerOf(option: HTMLOptionElement): OptionAnswer {
  return { value: option.value, label: fold(option.label) };
}
