/** The Chromium that the daemon drives. */
import { BrowseError } from "../../errors.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";
import { type FoundChromium, findChromium } from "./find_chromium.mjs";

/**
 * The one that was asked for, the driver's own, or one of the system's; one that can show a window when it is to be
 * `headed`. Throws `no_browser` with how to get one.
 */
export async function chromiumExecutable(asked: string | undefined, { headed = false } = {}): Promise<FoundChromium> {
  const { chromium } = await import("playwright");
  const env = asked === undefined ? process.env : { ...process.env, BROWSE_CHROMIUM: asked };
  const found = findChromium({ env, playwrightPath: chromium.executablePath(), headed });
  if (found) return found;
  if (asked !== undefined) {
    throw new BrowseError("no_browser", `BROWSE_CHROMIUM names "${asked}", which cannot be run`, {
      hint: inNewDaemon("Set it to a Chromium's executable, or unset it"),
    });
  }
  throw new BrowseError("no_browser", "No Chromium was found on this machine", { hint: howToInstall() });
}

function howToInstall(): string {
  const debian = process.platform === "linux" ? ", or `apt-get install chromium chromium-headless-shell`" : "";
  return `Run \`npx playwright install chromium\`${debian}; ${inNewDaemon("or set BROWSE_CHROMIUM to an executable")}`;
}
