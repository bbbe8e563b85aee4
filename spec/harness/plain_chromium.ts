/** A Chromium that no daemon keeps: for tests, measurements and comparisons with the driver. */
import { type Browser, chromium, type LaunchOptions } from "playwright";
import { chromiumExecutable } from "../../browser/install/executable.ts";
import { DRIVER_FLAGS_LEFT_OUT, FLAGS } from "../../browser/process/chromium_flags.ts";

/** The Chromium that a daemon would start, sandboxed where it would be. Throws `no_browser`. */
export async function launchPlainChromium({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  const { BROWSE_CHROMIUM, BROWSE_NO_SANDBOX } = process.env;
  const { path } = await chromiumExecutable(BROWSE_CHROMIUM);
  const chromiumSandbox = process.getuid?.() !== 0 && !BROWSE_NO_SANDBOX;
  return await chromium.launch({
    executablePath: path,
    chromiumSandbox,
    args: [...FLAGS, ...args],
    ignoreDefaultArgs: DRIVER_FLAGS_LEFT_OUT,
    ...options,
  });
}

let shared: Promise<Browser> | undefined;

/** The one of this process, for files that close their contexts. It ends with the process. */
export async function sharedChromium(): Promise<Browser> {
  const found = await shared?.catch(() => undefined);
  if (!found?.isConnected()) shared = launchPlainChromium();
  return await (shared as Promise<Browser>);
}
