/** Scrolling the page, a pane of it, or something into view. */
import type { Tab } from "../browser/tab.ts";
import { noteTouched } from "./acted.ts";
import { expectedOf } from "./look.ts";
import type { ScrollParams } from "./page/act_protocol.ts";
import { pause } from "./pause.ts";
import { ask } from "./reader.ts";
import { refused } from "./refusal.ts";
import type { Ref } from "./table.ts";

/** What a page that loads more as it is scrolled gets between two scrolls. */
const BETWEEN_MS = 300;

export interface ScrollOptions {
  /** CSS pixels down, negative for up; a screenful when neither this nor `to` is given and there is no element. */
  by?: number;
  to?: "top" | "bottom";
  /** How often, waiting in between for what the page loads. */
  times?: number;
  signal: AbortSignal;
}

export interface Scrolled {
  /** CSS pixels moved down, negative for up. */
  by: number;
  /** Where it stands now, from the top. */
  top: number;
  /** Nothing is left in that direction. */
  atEnd: boolean;
  times: number;
}

/** An element without `by` or `to` is brought into view; with them its content is scrolled, or what holds it. */
export async function scroll(tab: Tab, ref: Ref | undefined, options: ScrollOptions): Promise<Scrolled> {
  const { by, to, times = 1, signal } = options;
  const frame = ref?.frame ?? tab.frame;
  noteTouched(tab, frame);
  const params: ScrollParams = {
    ...(ref ? expectedOf(ref) : {}),
    ...(by === undefined ? {} : { byY: by }),
    ...(to === undefined ? {} : { to }),
    intoView: ref !== undefined && by === undefined && to === undefined,
  };
  const total: Scrolled = { by: 0, top: 0, atEnd: false, times: 0 };
  while (total.times < times) {
    if (total.times > 0) await pause(BETWEEN_MS, signal);
    const answer = await ask(frame, "scroll", params, { signal });
    if (answer.state !== "scrolled")
      throw ref ? refused(tab, ref, answer) : new Error(`Cannot scroll: ${answer.state}`);
    total.times++;
    total.by += answer.y;
    total.top = answer.top;
    total.atEnd = answer.atEnd;
    if (answer.atEnd && answer.y === 0) break;
  }
  return total;
}
