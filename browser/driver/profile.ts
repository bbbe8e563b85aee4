/** Where the driver keeps the browser's profile: it has no option for it but with a context that is to be kept. */
import type { Browser, BrowserType, LaunchOptions } from "playwright";
import { insideOf } from "./inside.ts";

/** The driver's own side: a folder that it is given it does not remove. */
interface Launcher {
  _prepareToLaunch?: (options: unknown, isPersistent: boolean, userDataDir?: string) => Promise<unknown>;
}

/** Launches the browser with `profile`, an empty folder. One that the driver makes by itself stays when we are killed. */
export async function launchWithProfile(type: BrowserType, profile: string, options: LaunchOptions): Promise<Browser> {
  const launcher = insideOf<Launcher>(type);
  const prepare = launcher?._prepareToLaunch;
  if (!launcher || !prepare) return await type.launch(options);
  launcher._prepareToLaunch = (own, isPersistent, userDataDir = profile) =>
    prepare.call(launcher, own, isPersistent, userDataDir);
  try {
    return await type.launch(options);
  } finally {
    launcher._prepareToLaunch = prepare;
  }
}
