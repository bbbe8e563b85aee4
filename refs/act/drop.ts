/** Dropping files from the disk on an element, as from a file manager: the browser's own events, with real files. */

import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { untilBlocked } from "../effects/interruptions.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { expectedOf, findHitTarget } from "./hit_target.ts";
import { refused } from "./refusal.ts";

/** `DragOperation` "copy" of CDP. */
const COPY = 1;

/** Throws `invalid_params` where the page takes no files, `covered`, and what `look` throws. */
export async function dropFiles(
  tab: Tab,
  ref: Ref,
  files: readonly string[],
  { signal }: { signal: AbortSignal },
): Promise<void> {
  noteTouched(tab, ref.frame);
  const hitTarget = await findHitTarget(tab, ref, { arm: false, signal });
  if (hitTarget === "option") throw takesNone(ref);
  const watching = await ask(ref.frame, "watchDrag", expectedOf(ref), { signal });
  if (watching.state !== "here") throw refused(tab, ref, watching);
  const cdp = await tab.cdp();
  const send = async (type: "dragEnter" | "dragOver" | "drop" | "dragCancel") => {
    const data = { items: [], files: [...files], dragOperationsMask: COPY };
    tab.noteInput();
    await abortable(untilBlocked(tab, cdp.send("Input.dispatchDragEvent", { type, ...hitTarget.point, data })), signal);
  };
  let isDropped = false;
  try {
    await send("dragEnter");
    await send("dragOver");
    const seen = await ask(ref.frame, "dragSeen", expectedOf(ref), { signal });
    if (seen.state !== "here") throw refused(tab, ref, seen);
    // What no page takes the browser opens by itself, in a tab of its own.
    if (!seen.over || !seen.accepted) throw takesNone(ref);
    await send("drop");
    isDropped = true;
  } finally {
    if (!isDropped) await send("dragCancel").catch(() => undefined);
  }
}

function takesNone(ref: Ref): BrowseError {
  return new BrowseError("invalid_params", `${labelOf(ref)} takes no dropped files`, {
    hint: "Name the element that does, or use `browse upload` with a file field",
  });
}
