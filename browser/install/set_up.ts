/** Sees to it that there is a Chromium to drive. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BrowseError, toBrowseError } from "../../errors.ts";
import { chromiumExecutable } from "./executable.ts";
import type { FoundChromium } from "./find_chromium.mjs";
import { installChromium } from "./install_chromium.mjs";

export interface SetUpOptions {
  /** Told what is going on. */
  say: (text: string) => void;
  signal: AbortSignal;
}

/** The Chromium that is there, else one that is installed now. Throws `no_browser` with all that was tried. */
export async function setUpChromium(
  asked: string | undefined,
  { say, signal }: SetUpOptions,
): Promise<FoundChromium & { installed: boolean }> {
  // One that was asked for by name is not ours to install.
  const there = asked === undefined ? await found() : await chromiumExecutable(asked);
  if (there) return { ...there, installed: false };
  const playwright = createRequire(import.meta.url).resolve("playwright/package.json");
  const playwrightCli = join(dirname(playwright), "cli.js");
  const result = await installChromium({ node: process.execPath, playwrightCli, find: found, say, signal });
  signal.throwIfAborted();
  if ("found" in result) return { ...result.found, installed: true };
  const [first = "", ...rest] = result.failure.split("\n");
  throw new BrowseError("no_browser", `No Chromium could be installed: ${first}`, { hint: rest.join("\n").trim() });
}

async function found(): Promise<FoundChromium | undefined> {
  try {
    return await chromiumExecutable(undefined);
  } catch (error) {
    if (toBrowseError(error).kind === "no_browser") return undefined;
    throw error;
  }
}
