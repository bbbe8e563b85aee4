/** The browser's own names for pages and frames, as its protocol has them. */
import type { CDPSession, Page } from "playwright";
import { targetInside } from "../driver/unseen_page.ts";
import type { Tab } from "../tabs/tab.ts";

const known = new WeakMap<Page, Promise<string>>();

/** Of a page, which its main frame has as well. The driver knows; else the browser answers, so a hung page has one too. */
export function targetOfPage(page: Page): Promise<string> {
  const inside = targetInside(page);
  if (inside !== undefined) return Promise.resolve(inside);
  const id = known.get(page) ?? ask(page);
  known.set(page, id);
  return id;
}

/** Is it one of the tab's frames, of those that its own process draws? */
export async function hasFrame(tab: Tab, frame: string): Promise<boolean> {
  const cdp = await tab.cdp();
  const { frameTree } = await cdp.send("Page.getFrameTree");
  return idsIn(frameTree).includes(frame);
}

async function ask(page: Page): Promise<string> {
  const cdp = await page.context().newCDPSession(page);
  const id = await targetOf(cdp);
  await cdp.detach();
  return id;
}

/** Of the page that the session is with. */
export async function targetOf(cdp: CDPSession): Promise<string> {
  return (await cdp.send("Target.getTargetInfo")).targetInfo.targetId;
}

/** As CDP tells it. */
export interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

/** Names of the frames in the tree. */
export function idsIn({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(idsIn)];
}
