/** What a page says is told when it comes: who asks for it is to have all that the page had said by then. */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { untilAnswered } from "../../browser/driver/world.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

/** A page that is at work, or is not there yet, is not waited for any longer than nobody minds. */
const MOST_MS = 300;

/** Resolves when the page has answered, since its answer comes after all that it said before; or when it does not. */
export async function caughtUp(tab: Tab, signal: AbortSignal): Promise<void> {
  // Behind a dialog every page is silent.
  if (!tab.isOpen || tab.dialogs.openError("")) return;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const late = delay(MOST_MS, undefined, { signal: until }).catch(() => {});
  await Promise.race([untilAnswered(tab.page.mainFrame()), late]);
  over.abort();
  // What has come is told in a turn of its own.
  await nextTurn();
}
