/** Checkboxes, radio buttons and switches, native or not. */

import { delay } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { untilLeaving } from "../effects/interruptions.ts";
import { RequestsSince } from "../effects/requests_since.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { askRef } from "../find/ask_ref.ts";
import type { CheckState } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";
import { clickElement } from "./click.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";

/** How long a page may take to show the new state. */
const MAX_CHANGE_MS = 1000;
/** The same while something that it has asked for since is not answered. */
const MAX_ASKING_MS = 2000;
/** From the answer to what is made of it. */
const MADE_MS = 150;
const LOOK_AGAIN_MS = 30;

/**
 * Presses it (or the label that stands for a hidden one) when its state is not the one wanted, and looks afterwards.
 * Says whether anything had to be done. Throws `invalid_params` for what cannot be checked, `not_kept` where the page does not take it, and `outcome_unknown` where what the
 * page has asked for since the press is not answered: the state may come with the answer, and another press would undo it.
 */
export async function setChecked(
  tab: Tab,
  ref: Ref,
  checked: boolean,
  { signal }: { signal: AbortSignal },
): Promise<boolean> {
  noteTouched(tab, ref.frame);
  const state = await stateOf(tab, ref, signal);
  assertCheckable(ref, state, checked);
  if (state.checked === checked) return false;
  const target = state.press.n === ref.n ? ref : refsOf(tab).giveDescribed(ref.frame, ref.doc, state.press, "label");
  const requests = new RequestsSince(tab);
  // One that was mixed may go through the other state first.
  const presses = state.checked === "mixed" ? 2 : 1;
  for (let done = 0; done < presses; done++) {
    const how = await clickElement(tab, target, { signal });
    if (await becomes(tab, ref, { checked, from: state.checked, how, requests }, signal)) return true;
    if (how === "down") throw notClicked(target);
    if (requests.unanswered.length > 0) break;
  }
  throw unchanged(ref, checked, requests);
}

function unchanged(ref: Ref, checked: boolean, { unanswered: [request] }: RequestsSince): BrowseError {
  const message = `${labelOf(ref)} was pressed but is still ${checked ? "not checked" : "checked"}`;
  if (!request) {
    return new BrowseError("not_kept", message, {
      hint: "The page may refuse it, or take its time: run `browse snapshot` to see, before you press it again",
    });
  }
  const { method, url } = request;
  return new BrowseError("outcome_unknown", `${message}, and ${method} ${url} is not answered yet`, {
    hint: "Do not press it again: its state may come with the answer. Look with `browse snapshot -i`",
    details: { waiting: { method, url } },
  });
}

function assertCheckable(ref: Ref, { checked: now, radio }: CheckState, checked: boolean): void {
  if (now === null) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} has no checked state`, { hint: "Use `browse click`" });
  }
  if (radio && now === true && !checked) {
    throw new BrowseError(
      "invalid_params",
      `${labelOf(ref)} is a radio button, which is unchecked by checking another`,
      {
        hint: "Use `browse check` on another of the group",
      },
    );
  }
}

function notClicked(target: Ref): BrowseError {
  return new BrowseError(
    "detached",
    `${labelOf(target)} went away when the mouse came down on it, and was not clicked`,
  );
}

interface Change {
  checked: boolean;
  from: CheckState["checked"];
  how: Awaited<ReturnType<typeof clickElement>>;
  /** Since before the press. */
  requests: RequestsSince;
}

/** Also true when it cannot be asked any more: the change took the element, the page or its attention away. */
async function becomes(tab: Tab, ref: Ref, change: Change, signal: AbortSignal): Promise<boolean> {
  const { checked, from, how, requests } = change;
  using leaving = untilLeaving(tab);
  const started = performance.now();
  let until = started + MAX_CHANGE_MS;
  for (;;) {
    const state = await Promise.race([
      ask(ref.frame, "checkState", { ...expectedOf(ref), wanted: checked }, { signal }),
      leaving.promise,
    ]);
    if (state?.state !== "checkable" || state.checked === checked) return true;
    const now = performance.now();
    if (requests.unanswered.length > 0) until = Math.min(Math.max(until, now + MADE_MS), started + MAX_ASKING_MS);
    if (state.checked !== from || how === "down" || now > until) return false;
    await delay(LOOK_AGAIN_MS, signal);
  }
}

async function stateOf(tab: Tab, ref: Ref, signal: AbortSignal): Promise<CheckState> {
  const answer = await askRef(ref, "checkState", expectedOf(ref), { signal });
  if (answer.state === "checkable") return answer;
  throw refused(tab, ref, answer);
}
