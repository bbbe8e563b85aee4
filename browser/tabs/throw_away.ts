/** The life of a tab that nobody sees: as long as the work in it, and hardly longer than the call that it is for. */

import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { DialogRecord } from "../effect_report.ts";
import { closePage } from "./close_page.ts";
import type { Tab } from "./tab.ts";

/** The call that a tab is made for. */
export interface ThrowAwayUse {
  holder: Token;
  signal: AbortSignal;
}

/** How long work whose call has ended may take to clean up after itself. */
const ABANDONED_MS = 2_000;

/**
 * Closes the tab when `work` has ended. Whatever `work` still waits for when its call has ended fails soon after. Throws
 * `dialog_open` for a dialog that stays open: nobody can answer it.
 */
export async function thenClosed<T>(tab: Tab, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { page, events } = tab;
  const close = async () => await closePage(tab);
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => void close(), ABANDONED_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  events.on("dialog", (record) => {
    if (record.outcome === "open") reject(unanswered(cutUrl(page.url()), record));
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([work(), stuck]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    await close();
  }
}

function unanswered(url: string, { type, message }: DialogRecord): BrowseError {
  return new BrowseError("dialog_open", `"${url}" keeps its ${type} "${message}" open, and cannot be read behind it`, {
    hint: "Open it with `browse goto` and answer the dialog there",
  });
}
