/** What becomes of fields without a change of the tree: values that scripts set, and values that a form is not sent with. */

import { sameValue } from "../act/fields.ts";
import { fold, queryAll } from "../dom/dom.ts";

/** What an action gave a control, which it is expected to hold still. */
export interface Given {
  isKept(): boolean;
  /** What it holds now: whether it is checked, or what is in it. */
  held(): string | boolean;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Pages with more of them are watched as far as this. */
const MAX_FIELDS = 1_000;

export class FieldWatch {
  /** What each held when the watch began. */
  #before = new Map<Field, string>();
  readonly #refused = new Set<Field>();
  readonly #filled = new Map<Field, string>();
  readonly #given = new Map<Element, Given>();
  readonly #answered = new Set<Element>();

  readonly #takeInvalid = (event: Event) => {
    const [field] = event.composedPath();
    if (isField(field) && this.#refused.size < MAX_FIELDS) this.#refused.add(field);
  };

  begin(): void {
    this.#refused.clear();
    this.#filled.clear();
    this.#given.clear();
    this.#answered.clear();
    this.#before = new Map(fieldsOf(document).map((field) => [field, heldBy(field)]));
    window.addEventListener("invalid", this.#takeInvalid, true);
  }

  /** Those that hold something else than when the watch began. */
  get changed(): Field[] {
    return [...this.#before].filter(([field, held]) => heldBy(field) !== held).map(([field]) => field);
  }

  /** Those that the browser would not send as they are, and are so still: of a form that was sent, and of what was filled. */
  get refused(): Field[] {
    const filled = [...this.#filled.keys()].filter((field) => field.value !== "" && field.form?.noValidate !== true);
    const asked = new Set([...this.#refused, ...filled]);
    return [...asked].filter((field) => field.isConnected && field.willValidate && field.validationMessage !== "");
  }

  /** What the field holds is the answer to the action. */
  answer(field: Element): void {
    this.#answered.add(field);
  }

  isAnswered(field: Element): boolean {
    return this.#answered.has(field);
  }

  /** The field was given this value, which it is expected to keep. */
  expect(field: Element, value: string): void {
    this.answer(field);
    if (!isField(field)) return;
    this.#filled.set(field, value);
    this.give(field, { isKept: () => sameValue(field.type, field.value, value), held: () => field.value });
  }

  /** What it was given last counts. */
  give(control: Element, given: Given): void {
    this.#given.set(control, given);
  }

  /** An editor, which adds what it likes, and to which nothing is an empty paragraph or a hint of what to write. */
  write(editor: HTMLElement, text: string): void {
    const held = () => fold(editor.innerText.replaceAll("\ufeff", ""));
    if (text !== "") this.give(editor, { isKept: () => held().includes(fold(text)), held });
  }

  /** The options of a list that were selected. */
  choose(list: HTMLSelectElement): void {
    const chosen = valuesOf(list);
    const held = () => [...list.selectedOptions].map(({ label }) => fold(label)).join(", ");
    this.give(list, { isKept: () => valuesOf(list) === chosen, held });
  }

  /** The files of a field that tells of them, before the page has heard of it. */
  takeFiles(field: Element): void {
    if (!(field instanceof HTMLInputElement) || field.type !== "file" || this.#given.has(field)) return;
    const files = namesOf(field);
    this.give(field, { isKept: () => namesOf(field) === files, held: () => namesOf(field) });
  }

  /** Those that hold something else than they were given. */
  get rewritten(): { field: Element; held: string | boolean }[] {
    return [...this.#given]
      .filter(([field, given]) => field.isConnected && !given.isKept())
      .map(([field, given]) => ({ field, held: given.held() }));
  }
}

function valuesOf(list: HTMLSelectElement): string {
  return JSON.stringify([...list.selectedOptions].map(({ value }) => value));
}

function namesOf({ files }: HTMLInputElement): string {
  return [...(files ?? [])].map(({ name }) => name).join(", ");
}

function fieldsOf(root: Document): Field[] {
  return [...queryAll(root, "input,textarea,select")].slice(0, MAX_FIELDS).filter(isField);
}

function isField(target: unknown): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

function heldBy(field: Field): string {
  return field instanceof HTMLInputElement ? `${field.checked} ${field.value}` : field.value;
}
