/** The keyboard: it goes to whatever has the focus. */

import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { untilBlocked, untilLeaving } from "../effects/interruptions.ts";
import { untilWatched } from "../effects/touched_frames.ts";
import type { ActOperations } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";
import { sendHeld } from "./held_focus.ts";
import { parseChord } from "./keys.ts";

interface KeyboardOptions {
  signal: AbortSignal;
}

interface TypingOptions extends KeyboardOptions {
  /** Whose document has the focus; undefined where nobody says so. */
  frame: Frame | undefined;
  /** What the text is meant for, when it was named. */
  ref: Ref | undefined;
}

/**
 * Types character by character, with the events of each key. How many of them arrived: all that were sent, as far as no
 * field is seen to take fewer. Throws `invalid_params` and `outcome_unknown` when the focus
 * goes to another document.
 */
export async function typeText(tab: Tab, text: string, { frame, ref, signal }: TypingOptions): Promise<number> {
  const type = async (piece: string) => await send(tab, () => tab.page.keyboard.type(piece), signal);
  const sent = [...text].length;
  if (!frame) {
    await type(text);
    return sent;
  }
  await askTyped(tab, frame, "beginTyping", { text }, signal);
  await sendHeld({ text, frame, ref, perPiece: 1, send: type, signal });
  const { taken = sent } = (await askTyped(tab, frame, "endTyping", {}, signal)) ?? {};
  return Math.min(taken, sent);
}

/** Undefined when the page leaves before it answers, or waits behind a dialog. */
async function askTyped<Op extends "beginTyping" | "endTyping">(
  tab: Tab,
  frame: Frame,
  operation: Op,
  params: ActOperations[Op]["params"],
  signal: AbortSignal,
): Promise<ActOperations[Op]["answer"] | undefined> {
  using leaving = untilLeaving(tab);
  const answer = ask(frame, operation, params, { signal }).catch(() => undefined);
  return await abortable(Promise.race([answer, leaving.promise]), signal);
}

/** Presses one key, with others held: `Enter`, `Shift+Enter`, `Control+A`. Throws `invalid_params` for unknown names. */
export async function pressKey(tab: Tab, chord: string, { signal }: KeyboardOptions): Promise<void> {
  const keys = parseChord(chord);
  await send(tab, () => tab.page.keyboard.press(keys), signal);
}

async function send(tab: Tab, keys: () => Promise<void>, signal: AbortSignal): Promise<"done" | "blocked"> {
  // What the keys start (a form that is sent, a tab that is opened) is told over this session: it has to be open.
  await abortable(tab.cdp(), signal);
  if ((await untilWatched(tab, signal)) === "blocked") return "blocked";
  signal.throwIfAborted();
  tab.noteInput();
  return await abortable(untilBlocked(tab, keys()), signal);
}
