/** Showing in a tab what a caller gave as a document. */

import { LoadedHtml } from "../../browser/navigation/loaded_html.ts";
import { goTo, type NavigationResult, type WaitUntil } from "../../browser/navigation/navigation.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";

interface LoadOptions {
  fileName: string;
  wait: WaitUntil;
  signal: AbortSignal;
}

/** As much of the beginning as a refusal shows. */
const SHOWN_BYTES = 60;
/** What holds a null byte by here is no text. */
const PROBED_BYTES = 1024;

/** The tab keeps the document until it is sent elsewhere. Throws `invalid_params` for what is not markup. */
export async function loadHtml(
  tab: Tab,
  body: Buffer,
  { fileName, wait, signal }: LoadOptions,
): Promise<NavigationResult> {
  assertMarkup(body);
  const before = tab.loaded;
  const loaded = new LoadedHtml(body, fileName);
  await loaded.serveIn(tab.page);
  tab.loaded = loaded;
  try {
    const arrival = await goTo(tab, loaded.url, { wait, signal });
    await before?.stop();
    return arrival;
  } catch (error) {
    // It may be there all the same, as when its scripts lead to where the tab may not go.
    const isShown = tab.page.url() === loaded.url;
    if (!isShown) tab.loaded = before;
    await (isShown ? before : loaded)?.stop();
    throw error;
  }
}

function assertMarkup(body: Buffer): void {
  const start = body.subarray(0, PROBED_BYTES);
  const text = start.toString("utf8");
  // A byte order mark counts as white space.
  if (/^\s*<[a-z!?/]/i.test(text) && !start.includes(0)) return;
  const shown = JSON.stringify(body.subarray(0, SHOWN_BYTES).toString("latin1"));
  throw new BrowseError(
    "invalid_params",
    body.length === 0 ? "Not HTML: it is empty" : `Not HTML: it starts with ${shown}`,
    {
      hint: "Give text that starts with markup, such as <!doctype html> or <p>",
    },
  );
}
