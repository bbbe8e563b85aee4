/**
 * Text for one document, kept from the others of its page: any frame may take the keyboard focus at any time, and gets
 * what is typed from then on. So where there are frames of other sites, the text goes in pieces, each after a look at who
 * has the focus; a frame that takes it in between gets one piece, and is told of.
 */
import type { Frame } from "playwright";
import { BrowseError } from "../../errors.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";

interface HeldText {
  /** "" is one piece as well. */
  text: string;
  frame: Frame;
  /** What the text is meant for, when it was named. */
  ref?: Ref | undefined;
  /** Must the focus stay in the element? Else the page may move it on within the document, as from one box of a code to the next. */
  isOnlyFor?: boolean;
  /** Characters in a piece. */
  perPiece: number;
  /** "blocked": a dialog keeps the page from taking any more. */
  send: (piece: string) => Promise<"done" | "blocked">;
  signal: AbortSignal;
}

/** Sends the text for as long as the focus is where it was. Throws `invalid_params` before the first piece, `outcome_unknown` after it. */
export async function sendHeld({
  text,
  frame,
  ref,
  isOnlyFor = false,
  perPiece,
  send,
  signal,
}: HeldText): Promise<void> {
  const mayLose = isOnlyFor || hasStrangers(frame);
  const characters = [...text];
  const size = hasStrangers(frame) ? perPiece : Math.max(characters.length, 1);
  for (let sent = 0; sent === 0 || sent < characters.length; sent += size) {
    if (mayLose && !(await isHeld(frame, isOnlyFor ? ref : undefined, signal)))
      throw lost(sent, characters.length, ref);
    if ((await send(characters.slice(sent, sent + size).join(""))) === "blocked") return;
  }
}

/** Has the frame's document the focus, not a frame in it nor one beside it? With a ref: has the element? */
async function isHeld(frame: Frame, ref: Ref | undefined, signal: AbortSignal): Promise<boolean> {
  const params = ref ? { doc: ref.doc, n: ref.n } : {};
  return (await ask(frame, "holdsFocus", params, { signal })).holds;
}

/** Are there frames of other sites in its page? */
function hasStrangers(frame: Frame): boolean {
  const own = originOf(frame);
  return frame
    .page()
    .frames()
    .some((other) => other !== frame && originOf(other) !== own);
}

/** A blank frame is written by the document around it. */
function originOf(frame: Frame): string | undefined {
  const url = frame.url();
  const parent = frame.parentFrame();
  return parent && /^(?:about:|$)/.test(url) ? originOf(parent) : URL.parse(url)?.origin;
}

function lost(sent: number, total: number, ref: Ref | undefined): BrowseError {
  const from = ref ? labelOf(ref) : "where it was";
  if (sent === 0) {
    return new BrowseError(
      "invalid_params",
      `Nothing was typed: the page takes the keyboard focus from ${from} at once`,
      {
        hint: "`browse fill` puts text into a field without the keyboard",
      },
    );
  }
  return new BrowseError(
    "outcome_unknown",
    `The page took the keyboard focus from ${from} after ${sent} of ${total} characters`,
    {
      hint: "Look where they are before you type the rest: `browse snapshot -i`",
      details: { sent, total },
    },
  );
}
