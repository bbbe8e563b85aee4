/** The driver's list of devices, in our words. */

import type { Emulation } from "../../../browser/emulation/emulation.ts";
import type { Size } from "../../../browser/emulation/viewport.ts";
import { BrowseError } from "../../../errors.ts";

/** How many names a refusal shows. */
const MAX_SHOWN = 8;

/** What a tab has to pretend to be that device. Case does not matter. Throws `invalid_params` with names that are alike. */
export async function deviceNamed(name: string): Promise<Emulation> {
  const { devices } = await import("playwright");
  const wanted = name.trim().toLowerCase();
  const found = Object.entries(devices).find(([known]) => known.toLowerCase() === wanted);
  if (!found) throw noSuchDevice(name, Object.keys(devices));
  // The driver's types leave the screen out.
  const [device, descriptor] = found as [string, (typeof found)[1] & { screen?: Size }];
  const { userAgent, viewport, screen, deviceScaleFactor, isMobile, hasTouch } = descriptor;
  const metrics = { scale: deviceScaleFactor, mobile: isMobile, touch: hasTouch, screen: screen ?? viewport };
  return { device, metrics, size: viewport, userAgent };
}

function noSuchDevice(name: string, known: readonly string[]): BrowseError {
  const alike = (device: string) => sameStart(name.toLowerCase(), device.toLowerCase());
  // The driver lists a maker's newest last.
  const upright = known.filter((device) => !device.endsWith(" landscape")).toReversed();
  const shown = upright.toSorted((a, b) => alike(b) - alike(a)).slice(0, MAX_SHOWN);
  return new BrowseError("invalid_params", `There is no device ${JSON.stringify(name)}`, {
    hint: `Names are Playwright's, ${known.length} in all, such as ${shown.join(", ")}`,
    details: { flag: "--device", param: "device" },
  });
}

/** How many characters both begin with. */
function sameStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
