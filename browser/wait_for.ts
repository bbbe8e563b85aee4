/** Waiting for what a tab will be. Each ends with the signal: deadlines are the caller's. */
import { setTimeout as delay } from "node:timers/promises";
import type { Tab } from "./tab.ts";

/** Between two looks at a condition that no event announces. */
const LOOK_EVERY_MS = 50;

/** Looks until the answer is true. */
export async function waitUntilTrue(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await look())) await delay(LOOK_EVERY_MS, undefined, { signal });
}

/** Waits for an address; `*` stands for any run of characters. */
export async function waitForUrl(tab: Tab, glob: string, signal: AbortSignal): Promise<void> {
  const pattern = new RegExp(`^${glob.split("*").map(RegExp.escape).join(".*")}$`, "su");
  await tab.page.waitForURL((url) => pattern.test(url.href), { waitUntil: "commit", timeout: 0, signal });
}

export async function waitForLoad(tab: Tab, state: "load" | "networkidle", signal: AbortSignal): Promise<void> {
  await tab.page.waitForLoadState(state, { timeout: 0, signal });
}
