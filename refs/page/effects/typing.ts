/** What a text field takes of what is typed into it, which a page or a `maxlength` may keep it from. */

import type { TextField } from "../act/fields.ts";
import { focusedElement } from "../dom/dom.ts";
import type { FieldWatch } from "./field_watch.ts";

/** Enter sends forms, and Tab leaves the field: what it held is gone then. */
const KEYS = /[\n\r\t]/;

interface Begun {
  field: TextField;
  text: string;
  /** What stays around it. Without a selection, as of numbers, all that was there is before. */
  head: string;
  tail: string;
  /** Where its selection is not told: what it held. */
  held: string | undefined;
}

export class Typing {
  readonly #watch: FieldWatch;
  #begun: Begun | undefined;
  /** Characters that the browser put into fields. */
  #inserted = 0;

  readonly #takeInput = (event: Event) => {
    if (event instanceof InputEvent) this.#inserted += [...(event.data ?? "")].length;
  };

  constructor(watch: FieldWatch) {
    this.#watch = watch;
  }

  begin(focused: Element, text: string): void {
    const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement;
    this.#begun = isField && !KEYS.test(text) ? begun(focused, text) : undefined;
    this.#inserted = 0;
    if (this.#begun) window.addEventListener("input", this.#takeInput, true);
  }

  end(): { taken?: number } {
    window.removeEventListener("input", this.#takeInput, true);
    const typed = this.#begun;
    this.#begun = undefined;
    if (!typed || focusedElement() !== typed.field) return {};
    this.#watch.give(typed.field, { isKept: () => isKept(typed), held: () => typed.field.value });
    return { taken: Math.max(this.#inserted, heldOf(typed)) };
  }
}

function begun(field: TextField, text: string): Begun {
  const { value, selectionStart, selectionEnd } = field;
  if (selectionStart === null || selectionEnd === null) return { field, text, head: "", tail: "", held: value };
  return { field, text, head: value.slice(0, selectionStart), tail: value.slice(selectionEnd), held: undefined };
}

function isKept({ field, text, head, tail, held }: Begun): boolean {
  if (held === undefined) return field.value === head + text + tail;
  return field.value.includes(text) || field.value.length === held.length + text.length;
}

/** How many characters of the text are in the field, in their order; a page may add its own, and write them otherwise. */
function heldOf(typed: Begun): number {
  const characters = [...typed.text];
  if (isKept(typed)) return characters.length;
  const { field, head, tail } = typed;
  const start = field.value.startsWith(head) ? head.length : 0;
  const end = field.value.endsWith(tail) ? field.value.length - tail.length : field.value.length;
  let rest = field.value.slice(start, Math.max(start, end)).toLowerCase();
  let count = 0;
  for (const character of characters) {
    const at = rest.indexOf(character.toLowerCase());
    if (at < 0) continue;
    rest = rest.slice(at + character.length);
    count++;
  }
  return count;
}
