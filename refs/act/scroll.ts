/** Scrolling the page, a pane of it, or something into view. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import type { ScrollAnswer, ScrollParams } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";

export interface ScrollOptions {
  /** CSS pixels down, negative for up; a screenful when neither this nor `to` is given and there is no element. */
  by?: number;
  to?: "top" | "bottom";
  /** How often. */
  times?: number;
  /** Waits for what the page loads as it is scrolled. */
  atRest: () => Promise<void>;
  signal: AbortSignal;
}

export interface Scrolled {
  /** CSS pixels moved down, negative for up. */
  by: number;
  /** Where it stands now, from the top. */
  top: number;
  /** Nothing is left in that direction, once the page has loaded what it does when it is scrolled. */
  atEnd: boolean;
  times: number;
}

/** An element without `by` or `to` is brought into view; with them its content is scrolled, or what holds it. */
export async function scroll(tab: Tab, ref: Ref | undefined, options: ScrollOptions): Promise<Scrolled> {
  const { by, to, times = 1, atRest, signal } = options;
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
    const { y, top } = await step(params);
    total.times++;
    total.by += y;
    await atRest();
    const now = await step({ ...params, still: true });
    // Of the pane that has moved, which nobody can tell afterwards.
    total.top = params.intoView ? top : now.top;
    total.atEnd = now.atEnd;
    if (now.atEnd && y === 0) break;
  }
  return total;

  async function step(asked: ScrollParams): Promise<ScrollAnswer> {
    const answer = await ask(frame, "scroll", asked, { signal });
    if (answer.state === "scrolled") return answer;
    throw ref ? refused(tab, ref, answer) : new Error(`Cannot scroll: ${answer.state}`);
  }
}
