/** Putting a value into a field so that the page takes it for typed. */

import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { noteTypedSecret } from "../../security/secrets/typed_secrets.ts";
import { untilBlocked } from "../effects/interruptions.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { askRef } from "../find/ask_ref.ts";
import type { BadValue, FieldKind, FillAnswer, Refusal } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { sendHeld } from "./held_focus.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";
import { selectOptions } from "./select_option.ts";

interface FillOptions {
  signal: AbortSignal;
}

export interface Filled {
  /** False when the page changed the value as it was put in (a mask, a formatter). */
  kept: boolean;
}

/**
 * Replaces what is in the field; "" clears it. Input and change events follow. Throws `invalid_params` for values the
 * field does not take and for things that are no text fields, `disabled` (read-only too), `not_visible`, `stale_ref`.
 */
export async function fill(tab: Tab, ref: Ref, value: string, { signal }: FillOptions): Promise<Filled> {
  noteTouched(tab, ref.frame);
  tab.noteInput();
  const answer = await askRef(ref, "fill", { ...expectedOf(ref), value }, { signal });
  switch (answer.state) {
    case "filled":
      return filledBy(answer, value);
    case "begun":
      // What the page makes of it is redacted already when it comes.
      if (answer.secret) noteTypedSecret(value);
      return await typeIn(tab, ref, { text: answer.last, value }, signal);
    case "other-kind":
      return await fillOtherKind(tab, ref, value, answer.kind, signal);
    default:
      throw refuseFill(tab, ref, answer);
  }
}

function filledBy({ secret, kept }: FillAnswer, value: string): Filled {
  if (secret) noteTypedSecret(value);
  return { kept };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  number: "12 or 3.5",
  date: "2026-12-31",
  time: "18:30",
  "datetime-local": "2026-12-31T18:30",
  month: "2026-12",
  week: "2026-W07",
  color: "#ff8800",
};

type NotFilled = BadValue | { state: "too-long"; max: number } | { state: "other-kind"; kind: FieldKind } | Refusal;

/** Why a value cannot be put into the element, in words. */
export function refuseFill(tab: Tab, ref: Ref, answer: NotFilled): BrowseError {
  switch (answer.state) {
    case "bad-value": {
      const example = EXAMPLES[answer.type];
      return new BrowseError("invalid_params", `${labelOf(ref)} takes ${answer.format}`, {
        details: { type: answer.type, format: answer.format },
        hint: example ? `Use a value such as ${example}` : `Use ${answer.format}`,
      });
    }
    case "too-long":
      return new BrowseError("invalid_params", `${labelOf(ref)} takes at most ${answer.max} characters`, {
        details: { maxLength: answer.max },
        hint: "Give a shorter value",
      });
    case "other-kind":
      return notText(ref, answer.kind);
    default:
      return refused(tab, ref, answer);
  }
}

const INSTEAD: Readonly<Record<FieldKind | "slider", string>> = {
  slider:
    "a slider of the page's own: give it the focus with `browse focus`, and move it with `browse press ArrowRight`",
  select: "a list: use `browse select`",
  editable: "an editor: use `browse fill`",
  checkbox: "a checkbox: use `browse check` or `browse uncheck`",
  radio: "a radio button: use `browse check`",
  file: "a file field: use `browse upload`",
  button: "a button: use `browse click`",
  none: "not something that text can be put into",
};

async function fillOtherKind(tab: Tab, ref: Ref, value: string, kind: FieldKind, signal: AbortSignal): Promise<Filled> {
  if (kind === "select") {
    await selectOptions(tab, ref, [value], { signal });
    return { kept: true };
  }
  // All that is in it is selected.
  if (kind === "editable") return await typeIn(tab, ref, { text: value, value }, signal);
  throw notText(ref, kind);
}

function notText(ref: Ref, kind: FieldKind): BrowseError {
  const [what = "", use] = INSTEAD[ref.role === "slider" && kind === "none" ? "slider" : kind].split(": ");
  return new BrowseError("invalid_params", `${labelOf(ref)} is ${what}`, {
    hint: use ? `${use.charAt(0).toUpperCase()}${use.slice(1)}` : "Run `browse snapshot -i` for the fields there are",
  });
}

/** Characters: what a frame of another site could take of a text. */
const EDITOR_PIECE = 16;

async function write(tab: Tab, piece: string): Promise<void> {
  if (piece === "") await tab.page.keyboard.press("Delete");
  else await tab.page.keyboard.insertText(piece);
}

/** Into the field that the page has given the focus; `value` is what it holds then. */
async function typeIn(
  tab: Tab,
  ref: Ref,
  { text, value }: { text: string; value: string },
  signal: AbortSignal,
): Promise<Filled> {
  const { frame } = ref;
  const send = async (piece: string) => await abortable(untilBlocked(tab, write(tab, piece)), signal);
  await sendHeld({ text, frame, ref, isOnlyFor: true, perPiece: EDITOR_PIECE, send, signal });
  const answer = await ask(ref.frame, "commit", { ...expectedOf(ref), value }, { signal });
  if (answer.state === "filled") return filledBy(answer, value);
  throw refused(tab, ref, answer);
}
