/** What becomes of fields without a change of the tree: values that scripts set, and values that a form is not sent with. */

import { sameValue } from "../act/fields.ts";
import { queryAll } from "../dom/dom.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Pages with more of them are watched as far as this. */
const MAX_FIELDS = 1_000;

export class FieldWatch {
  /** What each held when the watch began. */
  #before = new Map<Field, string>();
  readonly #refused = new Set<Field>();
  readonly #filled = new Map<Field, string>();
  readonly #answered = new Set<Element>();

  readonly #takeInvalid = (event: Event) => {
    const [field] = event.composedPath();
    if (isField(field) && this.#refused.size < MAX_FIELDS) this.#refused.add(field);
  };

  begin(): void {
    this.#refused.clear();
    this.#filled.clear();
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
    if (isField(field)) this.#filled.set(field, value);
  }

  /** Those that hold something else than they were given. */
  get rewritten(): Field[] {
    return [...this.#filled]
      .filter(([field, value]) => !sameValue(field.type, field.value, value))
      .map(([field]) => field);
  }
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
