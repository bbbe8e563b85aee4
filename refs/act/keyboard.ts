/** The keyboard: it goes to whatever has the focus. */

import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { untilBlocked } from "../effects/interruptions.ts";
import { untilWatched } from "../effects/touched_frames.ts";
import { parseChord } from "./keys.ts";

interface KeyboardOptions {
  signal: AbortSignal;
}

/** Types character by character, with the events of each key. */
export async function typeText(tab: Tab, text: string, { signal }: KeyboardOptions): Promise<void> {
  await send(tab, () => tab.page.keyboard.type(text), signal);
}

/** Presses one key, with others held: `Enter`, `Shift+Enter`, `Control+A`. Throws `invalid_params` for unknown names. */
export async function pressKey(tab: Tab, chord: string, { signal }: KeyboardOptions): Promise<void> {
  const keys = parseChord(chord);
  await send(tab, () => tab.page.keyboard.press(keys), signal);
}

async function send(tab: Tab, keys: () => Promise<void>, signal: AbortSignal): Promise<void> {
  // What the keys start (a form that is sent, a tab that is opened) is told over this session: it has to be open.
  await abortable(tab.cdp(), signal);
  if ((await untilWatched(tab, signal)) === "blocked") return;
  signal.throwIfAborted();
  tab.noteInput();
  await abortable(untilBlocked(tab, keys()), signal);
}
