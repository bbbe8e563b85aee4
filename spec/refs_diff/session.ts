/** A browser in which pages are compared. */
import { join } from "node:path";
import { selectors } from "playwright";
import { bundleReader } from "../../refs/bundle_reader.ts";
import { launchPlainChromium } from "../harness/plain_chromium.ts";
import { type Comparison, compare, SIGHTINGS } from "./compare.ts";

/** What never stops loading is compared as it is by then. */
const LOAD_TIMEOUT_MS = 15_000;

export interface CompareSession extends AsyncDisposable {
  compare(url: string): Promise<Comparison>;
}

/** The driver knows an engine for the whole process, and only once. */
let registration: Promise<void> | undefined;

export async function openCompareSession(): Promise<CompareSession> {
  registration ??= selectors.register(
    SIGHTINGS,
    { content: bundleReader(join(import.meta.dirname, "sightings.ts")) },
    { contentScript: true },
  );
  await registration;
  const browser = await launchPlainChromium();
  const page = await browser.newPage();
  return {
    async compare(url) {
      await page.goto(url, { timeout: LOAD_TIMEOUT_MS, waitUntil: "commit" });
      await page.waitForLoadState("load", { timeout: LOAD_TIMEOUT_MS }).catch(() => undefined);
      return await compare(page);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
