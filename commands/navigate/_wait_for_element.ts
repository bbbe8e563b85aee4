/** Waiting for what elements will be. Each ends with the signal: deadlines are the caller's. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { matchElsewhere } from "../../refs/find/elsewhere.ts";
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
  /** Where else something matches, when nothing does here. */
  elsewhere?: string;
}

/** Other frames are asked this seldom. */
const ELSEWHERE_EVERY_MS = 1_000;

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
  let elsewhere: string | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  await waitUntilTrue(async () => {
    const seen = await look();
    onLook({ ...seen, ...(elsewhere !== undefined && { elsewhere }) });
    if (seen.visible > 0) return true;
    if (seen.count > 0 || performance.now() - askedAt < ELSEWHERE_EVERY_MS) return false;
    askedAt = performance.now();
    elsewhere = (await matchElsewhere(tab, target, signal))?.hint;
    onLook({ ...seen, ...(elsewhere !== undefined && { elsewhere }) });
    return false;
  }, signal);
}

/** Waits until nothing that matches can be seen. Resolves to whether anything ever matched. */
export async function waitForGone(tab: Tab, target: string, { signal }: WaitOptions): Promise<boolean> {
  let wasThere = target.startsWith("@");
  const isSeen = async (): Promise<boolean> => {
    if (target.startsWith("@")) return await refIsVisible(tab, target, { signal });
    const { count, visible } = await countSeen(tab, target, { signal });
    wasThere ||= count > 0;
    return visible > 0;
  };
  await waitUntilTrue(async () => !(await isSeen()), signal);
  return wasThere;
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
