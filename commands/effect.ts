/** The effect that dispatch joins to an action's answer: its schema on the wire, and how it reads. */

import * as v from "valibot";
import type { DialogRecord, DownloadRecord, EffectReport } from "../browser/effect_report.ts";
import { networkFault } from "../browser/network_errors.ts";

export const DialogSchema = v.strictObject({
  id: v.number(),
  type: v.picklist(["alert", "confirm", "prompt", "beforeunload"]),
  message: v.string(),
  outcome: v.picklist(["accepted", "dismissed", "open"]),
  answer: v.exactOptional(v.string()),
  time: v.string(),
});

const DownloadSchema = v.strictObject({
  name: v.string(),
  url: v.string(),
  path: v.exactOptional(v.string()),
  failure: v.exactOptional(v.string()),
});

export const EffectSchema = v.strictObject({
  navigated: v.exactOptional(v.pipe(v.string(), v.description("Address the tab went to"))),
  unloaded: v.exactOptional(
    v.pipe(
      v.strictObject({ url: v.string(), network: v.pipe(v.string(), v.description("Chromium's name for the fault")) }),
      v.description("Address that it went to and that could not be loaded: the browser shows a page of its own"),
    ),
  ),
  navigating: v.exactOptional(v.pipe(v.string(), v.description("Address of a navigation that has not committed yet"))),
  frames: v.exactOptional(v.pipe(v.array(v.string()), v.description("Addresses that frames of the page went to"))),
  dialogs: v.exactOptional(v.pipe(v.array(DialogSchema), v.description("The first 10"))),
  moreDialogs: v.exactOptional(v.pipe(v.number(), v.description("How many dialogs there were beside them"))),
  opened: v.exactOptional(v.pipe(v.array(v.string()), v.description("Ids of tabs it opened"))),
  popUpsClosed: v.exactOptional(
    v.pipe(
      v.number(),
      v.description("How many more tabs it opened, which were closed at once: a page may open 20 a minute"),
    ),
  ),
  downloads: v.exactOptional(v.array(DownloadSchema)),
  refused: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("Addresses that the rules of the tab's owner kept it from")),
  ),
  closed: v.exactOptional(v.boolean()),
  changed: v.exactOptional(v.pipe(v.number(), v.description("DOM nodes added, removed or changed"))),
  nothing: v.exactOptional(v.boolean()),
  unsettled: v.exactOptional(v.pipe(v.boolean(), v.description("It was not waited for: more may come"))),
});

/** The effect as the tail of an answer: starts with a space or a new line, empty when there is nothing to add. */
export function effectText(effect: EffectReport): string {
  const parts = [
    effect.navigated && `→ navigated to ${effect.navigated}`,
    effect.unloaded && `→ could not load ${effect.unloaded.url}: ${networkFault(effect.unloaded.network)}`,
    effect.navigating && `→ navigating to ${effect.navigating} (not there yet)`,
    ...(effect.frames ?? []).map((url) => `a frame navigated to ${url}`),
    ...(effect.dialogs ?? []).map(dialogText),
    effect.moreDialogs && `${effect.moreDialogs} more dialogs`,
    ...(effect.opened ?? []).map((id) => `opened ${id}`),
    effect.popUpsClosed && `${effect.popUpsClosed} more pop-ups closed at once`,
    ...(effect.downloads ?? []).map(downloadText),
    ...(effect.refused ?? []).map((url) => `kept from ${url}`),
    effect.closed && "the tab closed",
    effect.changed && `${effect.changed} ${effect.changed === 1 ? "node" : "nodes"} changed`,
    effect.nothing && "nothing changed",
    effect.unsettled && "not waited for",
  ].filter((part) => typeof part === "string");
  if (parts.length === 0) return "";
  const text = parts.join("; ");
  return text.startsWith("→") ? ` ${text}` : ` → ${text}`;
}

/** `dialog: confirm "Delete?" (accepted)`. What the page says ends where the quotes do, on the same line. */
export function dialogText(dialog: DialogRecord): string {
  const answer = dialog.answer === undefined ? "" : `, answered ${JSON.stringify(dialog.answer)}`;
  return `dialog: ${dialog.type} ${JSON.stringify(dialog.message)} (${dialog.outcome}${answer})`;
}

function downloadText({ name, path, failure }: DownloadRecord): string {
  if (path !== undefined) return `download ${name} (${path})`;
  return failure === undefined ? `download ${name}` : `download ${name} failed: ${failure}`;
}
