/** Moments at which a page stops answering: it leaves, ends, or waits behind a dialog that stays open. */
import type { Request } from "playwright";
import { delay } from "../../abort.ts";
import { navigatedFrame } from "../../browser/driver/navigated_frame.ts";
import type { DialogRecord } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

/** How long input is waited for that may have gone down with a document. */
const MAX_LOST_MS = 50;

interface Moment extends Disposable {
  promise: Promise<undefined>;
}

/** Resolves when the page asks to leave or is about to be left, the tab ends, or a dialog stays open. */
export function untilLeaving(tab: Tab): Moment {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { page } = tab;
  const leave = () => resolve(undefined);
  // Steps in the history are not asked for, and come as a request at once.
  const onRequest = (request: Request) => {
    if (navigatedFrame(request) === page.mainFrame()) leave();
  };
  page.on("request", onRequest);
  const events = ["navigationRequested", "closed", "crashed"] as const;
  for (const event of events) tab.events.once(event, leave);
  const dialog = untilDialog(tab);
  return {
    promise: Promise.race([promise, dialog.promise]),
    [Symbol.dispose]() {
      for (const event of events) tab.events.off(event, leave);
      page.off("request", onRequest);
      dialog[Symbol.dispose]();
    },
  };
}

function untilDialog(tab: Tab): Moment {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onDialog = (record: DialogRecord) => {
    if (record.outcome === "open") resolve(undefined);
  };
  if (tab.dialogs.open) resolve(undefined);
  tab.events.on("dialog", onDialog);
  return { promise, [Symbol.dispose]: () => tab.events.off("dialog", onDialog) };
}

/** `blocked` when a dialog stays open before the work is done; the work ends when the dialog is answered. */
export async function untilBlocked(tab: Tab, work: Promise<unknown>): Promise<"done" | "blocked"> {
  using dialog = untilDialog(tab);
  const done = work.then(() => "done" as const);
  const first = await Promise.race([done, dialog.promise]);
  // Nobody waits for it any more, and the tab may be closed while its dialog is open.
  if (!first) done.catch(() => undefined);
  return first ?? "blocked";
}

/**
 * Waits until the browser says that the input has been handled; it never does of what was on its way to a frame of
 * another process when its document was left.
 */
export async function untilHandled(tab: Tab, input: Promise<unknown>): Promise<void> {
  const handled = new AbortController();
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const onGone = () => resolve();
  tab.events.on("navigated", onGone);
  tab.page.on("framedetached", onGone);
  // Aborted in the end, when nobody is interested any more.
  const lost = gone.then(() => delay(MAX_LOST_MS, handled.signal)).catch(() => undefined);
  try {
    await Promise.race([input, lost]);
  } finally {
    handled.abort();
    input.catch(() => undefined);
    tab.events.off("navigated", onGone);
    tab.page.off("framedetached", onGone);
  }
}
