/** Which frame is meant: by the element that holds it, by name, or by address. */

import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { resolve } from "../../refs/find/target.ts";
import { locatorOf } from "../../refs/reader.ts";
import { labelOf } from "../../refs/ref_table.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { matchesGlob } from "../../security/urls/glob.ts";

/** How many frames a refusal names. */
const MAX_SHOWN = 5;

/** The frame that the element holds. Throws what `resolve` throws, and `invalid_params` when it holds none. */
export async function frameHeldBy(tab: Tab, target: string, { signal }: { signal: AbortSignal }): Promise<Frame> {
  const ref = await resolve(tab, target, { signal });
  const element = await locatorOf(ref.frame, ref).elementHandle({ signal });
  try {
    const frame = await element?.contentFrame();
    if (frame) return frame;
  } finally {
    await element?.dispose();
  }
  throw new BrowseError("invalid_params", `${labelOf(ref)} is not a frame`, { hint: hintOf(childFrames(tab)) });
}

/** The one frame of the tab that fits. `url` is a part of the address, where `*` stands for any run of characters. */
export function frameLike(tab: Tab, { name, url }: { name?: string; url?: string }): Frame {
  const all = childFrames(tab);
  const found = all.filter(
    (frame) =>
      (name === undefined || frame.name() === name) && (url === undefined || matchesGlob(`*${url}*`, frame.url())),
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  const wanted = [name !== undefined && `the name "${name}"`, url !== undefined && `an address like "${url}"`];
  const what = wanted.filter(Boolean).join(" and ");
  if (!only) throw new BrowseError("not_found", `No frame has ${what}`, { hint: hintOf(all) });
  throw new BrowseError("ambiguous", `${found.length} frames have ${what}`, { hint: hintOf(found) });
}

function childFrames({ page }: Tab): Frame[] {
  return page.frames().filter((frame) => frame !== page.mainFrame() && !frame.isDetached());
}

function hintOf(frames: readonly Frame[]): string {
  if (frames.length === 0) return "The page has no frames";
  const shown = frames
    .slice(0, MAX_SHOWN)
    .map((frame) => `${cutUrl(frame.url())}${frame.name() ? ` "${frame.name()}"` : ""}`);
  return `Frames: ${shown.join(", ")}${frames.length > shown.length ? `, and ${frames.length - shown.length} more` : ""}`;
}
