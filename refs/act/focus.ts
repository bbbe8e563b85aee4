import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { askRef } from "../find/ask_ref.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";

/** What has the focus is told besides; a page that does not answer keeps nobody from typing. */
const MAX_ASKING_MS = 500;

interface FocusOptions {
  /** What is typed then comes after what is there; where the element has the focus already, the caret stays. */
  append?: boolean;
  signal: AbortSignal;
}

/** Gives the element the keyboard focus. Throws `invalid_params` for what cannot have it. */
export async function focus(tab: Tab, ref: Ref, { append = false, signal }: FocusOptions): Promise<void> {
  noteTouched(tab, ref.frame);
  const answer = await askRef(ref, "focusOn", { ...expectedOf(ref), append }, { signal });
  if (answer.state !== "focused") throw refused(tab, ref, answer);
  if (!answer.focused) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} cannot have the keyboard focus`, {
      hint: "Focus a field, link or button inside it, or use `browse click`",
    });
  }
}

export interface Focused {
  /** Undefined when nothing has the focus, or nobody answers. A frame, when it is in that. */
  ref: Ref | undefined;
  /** It hides what is typed into it. */
  isSecret: boolean;
  /** Whose document has it; undefined when nobody says so. */
  frame: Frame | undefined;
}

/** What has the keyboard focus. */
export async function focusedIn(tab: Tab, { signal }: { signal: AbortSignal }): Promise<Focused> {
  const asked = async (frame: Frame) => {
    const answer = await ask(frame, "focused", {}, { signal, timeoutMs: MAX_ASKING_MS }).catch(() => undefined);
    signal.throwIfAborted();
    return answer;
  };
  const main = tab.page.mainFrame();
  const { focused, doc, secret = false, holds } = (await asked(main)) ?? {};
  const ref = focused && doc !== undefined ? refsOf(tab).giveDescribed(main, doc, focused, "focus") : undefined;
  if (!focused || !/^i?frame$/.test(focused.tag)) return { ref, isSecret: secret, frame: holds ? main : undefined };
  const frames = tab.page.frames().filter((frame) => frame !== main);
  const others = await Promise.all(frames.map(asked));
  const isSecret = others.some((other) => other?.secret);
  return { ref, isSecret, frame: frames[others.findIndex((other) => other?.holds)] };
}
