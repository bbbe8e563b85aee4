import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { noteTouched } from "./acted.ts";
import { askRef } from "./ask_ref.ts";
import { expectedOf } from "./look.ts";
import { ask } from "./reader.ts";
import { refused } from "./refusal.ts";
import { labelOf, type Ref, refsOf } from "./table.ts";

/** What has the focus is told besides; a page that does not answer keeps nobody from typing. */
const MAX_ASKING_MS = 500;

/** Gives the element the keyboard focus. Throws `invalid_params` for what cannot have it. */
export async function focus(tab: Tab, ref: Ref, { signal }: { signal: AbortSignal }): Promise<void> {
  noteTouched(tab, ref.frame);
  const answer = await askRef(ref, "focusOn", expectedOf(ref), { signal });
  if (answer.state !== "focused") throw refused(tab, ref, answer);
  if (!answer.focused) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} cannot have the keyboard focus`, {
      hint: "Focus a field, link or button inside it, or use `browse click`",
    });
  }
}

/** What has the keyboard focus; undefined when nothing has, or nobody answers. A frame, when it is in that. */
export async function focusedIn(tab: Tab, { signal }: { signal: AbortSignal }): Promise<Ref | undefined> {
  const frame = tab.page.mainFrame();
  const answer = await ask(frame, "focused", {}, { signal, timeoutMs: MAX_ASKING_MS }).catch(() => undefined);
  signal.throwIfAborted();
  return answer?.focused && refsOf(tab).giveDescribed(frame, answer.doc, answer.focused, "focus");
}
