/** The driver's errors in our words. Its texts are its own; the callers never see them. */
import { BrowseError, type ErrorKind, toBrowseError } from "../../errors.ts";
import { isLoadedUrl } from "../loaded_url.ts";
import { networkFault } from "./network_errors.ts";

/** Texts of playwright-core 1.65, the version pinned in package.json. */
const KNOWN: readonly [RegExp, ErrorKind, string][] = [
  [/Page crashed|Target crashed/i, "tab_gone", "The tab has crashed"],
  [
    /Frame was detached|frame got detached|Execution context was destroyed.*detached/i,
    "frame_gone",
    "The frame has left the page",
  ],
  [/browser has been closed|Browser closed|Browser has been disconnected/i, "tab_gone", "The tab has been closed"],
  [/Target closed|page has been closed|context has been closed|Session closed/i, "tab_gone", "The tab has been closed"],
  [
    /Execution context was destroyed|Cannot find context/i,
    "detached",
    "The page navigated away while the command was running",
  ],
  [/Not attached to an active page/i, "detached", "The page navigated away while the command was running"],
  // What gives values with such chains is bounded: it comes of `long_messages.ts`.
  [/object reference chain is too long/i, "too_large", "The page's answer is over 256 MB long"],
  [/Printing failed|Unable to capture screenshot/i, "detached", "The page went or changed while it was being drawn"],
  [/Element is not attached/i, "detached", "The element left the document while the command was running"],
  [
    /is interrupted by another navigation/i,
    "navigation_failed",
    "The page went elsewhere before the address was reached",
  ],
  [/Timeout \d+ms exceeded/i, "timeout", "Timed out waiting for the page"],
];

const NETWORK_ERROR = /net::(ERR_[A-Z0-9_]+)(?: at (\S+))?/;

/** `to`: the address that was being loaded, which the driver does not always tell. */
export function translateDriverError(error: unknown, to?: string): BrowseError {
  if (error instanceof BrowseError || !(error instanceof Error)) return toBrowseError(error);
  if (error.name === "AbortError") return new BrowseError("cancelled", "The call was cancelled", { cause: error });
  const [, code, url = to] = NETWORK_ERROR.exec(error.message) ?? [];
  if (code !== undefined) {
    if (url !== undefined && isLoadedUrl(url)) return documentGone(url, { network: code }, error);
    const what = url === undefined ? "Cannot load the page" : `Cannot load "${url}"`;
    const details = { network: code };
    return new BrowseError("navigation_failed", `${what}: ${networkFault(code)}`, { cause: error, details });
  }
  const known = KNOWN.find(([pattern]) => pattern.test(error.message));
  return known ? new BrowseError(known[1], known[2], { cause: error }) : toBrowseError(error);
}

/** Nothing serves it any more; that no server answers at its address would lead astray. */
function documentGone(url: string, details: { network: string }, cause: Error): BrowseError {
  const message = `Cannot load "${url}": the tab has been sent elsewhere since \`load-html\` showed it, and no longer has it`;
  return new BrowseError("navigation_failed", message, {
    hint: "Show the document again with `browse load-html`",
    details,
    cause,
  });
}
