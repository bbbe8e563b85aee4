/** Waiting for what elements will be. Each ends with the signal: deadlines are the caller's. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { countSeen } from "../../refs/find/target.ts";
import { askAbout } from "../../refs/read/ask_about.ts";
import { readText } from "../../refs/read/text.ts";
import { waitUntilTrue } from "./_wait_for_page.ts";

interface WaitOptions {
  signal: AbortSignal;
}

/** What there was at the last look. */
export interface Seen {
  /** How many elements match. */
  count: number;
  /** How many of them can be seen. */
  visible: number;
}

interface TargetWaitOptions extends WaitOptions {
  /** Told after each look. */
  onLook: (seen: Seen) => void;
}

/** Waits until something matches and can be seen. A ref must be alive: a dead one will never come back. */
export async function waitForTarget(tab: Tab, target: string, { signal, onLook }: TargetWaitOptions): Promise<void> {
  const look = async (): Promise<Seen> => {
    if (!target.startsWith("@")) return await countSeen(tab, target, { signal });
    const { visible } = await askAbout(tab, target, "status", {}, { signal });
    return { count: 1, visible: visible ? 1 : 0 };
  };
  await waitUntilTrue(async () => {
    const seen = await look();
    onLook(seen);
    return seen.visible > 0;
  }, signal);
}

/** Waits until nothing that matches can be seen. */
export async function waitForGone(tab: Tab, target: string, { signal }: WaitOptions): Promise<void> {
  if (!target.startsWith("@")) {
    await waitUntilTrue(async () => (await countSeen(tab, target, { signal })).visible === 0, signal);
    return;
  }
  await waitUntilTrue(async () => !(await refIsVisible(tab, target, { signal })), signal);
}

/** Waits until the text can be seen on the page, in any of its frames. */
export async function waitForText(tab: Tab, text: string, { signal }: WaitOptions): Promise<void> {
  const wanted = folded(text);
  await waitUntilTrue(async () => folded(await readText(tab, undefined, { signal })).includes(wanted), signal);
}

async function refIsVisible(tab: Tab, target: string, { signal }: WaitOptions): Promise<boolean> {
  try {
    return (await askAbout(tab, target, "status", {}, { signal })).visible;
  } catch (error) {
    if (error instanceof BrowseError && (error.kind === "stale_ref" || error.kind === "frame_gone")) return false;
    throw error;
  }
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
