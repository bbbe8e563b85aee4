/** What the documents that an action touched have seen change, taken together. */
import type { Frame } from "playwright";
import type { Changes } from "../page/effects/protocol.ts";
import type { WorkLeft } from "./page_work.ts";

/** Of all frames; `focused` is in one of them. */
export interface Look extends Omit<Changes, "focused"> {
  focused?: NonNullable<Changes["focused"]> & { frame: Frame };
  /** What scripts have begun meanwhile. */
  left: WorkLeft;
}

/** Of a frame that does not answer any more. */
export const NONE: Changes = { changed: 0, beyond: 0, quietMs: 0, closing: false };

export function together(seen: readonly { frame: Frame; changes: Changes }[], left: WorkLeft): Look {
  const all = seen.map(({ changes }) => changes);
  const sum = (count: (each: Changes) => number) => all.reduce((total, each) => total + count(each), 0);
  const moving = all.filter((each) => each.changed > 0);
  const refused = all.flatMap((each) => each.refused ?? []);
  const rewritten = all.flatMap((each) => each.rewritten ?? []);
  const focus = seen.find(({ changes }) => changes.focused);
  const downloading = all.find((each) => each.downloading !== undefined)?.downloading;
  const title = all.find((each) => each.title)?.title;
  const later = sum((each) => each.later ?? 0);
  return {
    changed: sum((each) => each.changed),
    beyond: sum((each) => each.beyond),
    quietMs: moving.length === 0 ? 0 : Math.min(...moving.map((each) => each.quietMs)),
    closing: all.some((each) => each.closing),
    pending: all.some((each) => each.pending === true),
    animating: all.some((each) => each.animating === true),
    left,
    ...(all.some((each) => each.choosing) && { choosing: true as const }),
    ...(downloading !== undefined && { downloading }),
    ...(title && { title }),
    ...(later > 0 && { later }),
    ...(refused.length > 0 && { refused }),
    ...(rewritten.length > 0 && { rewritten }),
    ...(focus?.changes.focused && { focused: { ...focus.changes.focused, frame: focus.frame } }),
  };
}
