/** The page's refusals as errors that say which element, why, and what to do. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { renamedRef, staleRef } from "../find/stale.ts";
import type { DisabledReason, Refusal } from "../page/act/protocol.ts";
import type { Described } from "../page/protocol.ts";
import { labelOf, type Ref, refsOf } from "../ref_table.ts";

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  disabled: "is disabled",
  "aria-disabled": "is marked as disabled (aria-disabled)",
  inert: "is inert: something else, a dialog perhaps, has to be closed first",
  "pointer-events": "takes no presses (pointer-events: none)",
  readonly: "is read-only",
};

const SET_OTHERWISE =
  "Nobody can type into it. Where the page sets it by something else, such as a calendar, open that with `browse click` and " +
  "choose there; else leave it as it is";

export function refused(tab: Tab, ref: Ref, answer: Refusal): BrowseError {
  const label = labelOf(ref);
  switch (answer.state) {
    case "gone":
      return staleRef(ref, answer);
    case "renamed":
      return renamedRef(ref, answer.now);
    case "hidden":
      return new BrowseError("not_visible", `${label} is not visible: ${answer.why}`, {
        details: { reason: answer.why },
      });
    case "outside":
      return new BrowseError("not_visible", `${label} is not visible: no scrolling brings it into view`, {
        details: { reason: "it is outside the viewport" },
        hint: "Make the window larger with `browse viewport`, or open what contains it",
      });
    case "disabled":
      return new BrowseError("disabled", `${label} ${DISABLED[answer.why]}`, {
        details: { reason: answer.why },
        ...(answer.why === "readonly" && { hint: SET_OTHERWISE }),
      });
    case "covered":
      return coveredError(tab, ref, answer.by);
  }
}

/** Gives what is in the way a ref of its own, so that it can be closed or looked at next. */
export function coveredError(
  tab: Tab,
  ref: Ref,
  by: Described | undefined,
  where: Pick<Ref, "frame" | "doc"> = ref,
): BrowseError {
  if (!by) {
    return new BrowseError("covered", `${labelOf(ref)} could not be reached: something else took the press`, {
      hint: "Run `browse snapshot` to see what lies over it",
    });
  }
  const cover = refsOf(tab).giveDescribed(where.frame, where.doc, by, "cover");
  return new BrowseError("covered", `${labelOf(ref)} is covered by ${labelOf(cover)}`, {
    details: { cover: { ref: cover.id, role: by.role, name: by.name } },
  });
}
