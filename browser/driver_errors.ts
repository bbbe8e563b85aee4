/** The driver's errors in our words. Its texts are its own; the callers never see them. */
import { BrowseError, type ErrorKind, toBrowseError } from "../rpc/errors.ts";

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
  [/Element is not attached/i, "detached", "The element left the document while the command was running"],
  [
    /is interrupted by another navigation/i,
    "navigation_failed",
    "The page went elsewhere before the address was reached",
  ],
  [/Timeout \d+ms exceeded/i, "timeout", "The page did not get there in time"],
];

/** Names of network failures that read better in words (net_error_list.h). */
const NETWORK: Readonly<Record<string, string>> = {
  ERR_CONNECTION_REFUSED: "the server refused the connection",
  ERR_NAME_NOT_RESOLVED: "the host name is unknown",
  ERR_INTERNET_DISCONNECTED: "there is no network",
  ERR_CONNECTION_RESET: "the server cut the connection",
  ERR_CONNECTION_TIMED_OUT: "the server did not answer",
  ERR_TOO_MANY_REDIRECTS: "it redirects in a circle",
  ERR_EMPTY_RESPONSE: "the server sent nothing",
  ERR_PROXY_CONNECTION_FAILED: "the proxy could not be reached",
  ERR_TUNNEL_CONNECTION_FAILED: "the proxy could not reach the host",
  ERR_CERT_AUTHORITY_INVALID: "its certificate is not trusted",
  ERR_ABORTED: "the load was broken off",
};

/** A script's own error may say megabytes; what the driver says stands at the beginning. Characters. */
const MAX_MESSAGE = 2_000;

export function translateDriverError(error: unknown): BrowseError {
  if (error instanceof BrowseError || !(error instanceof Error)) return toBrowseError(error);
  const said = error.message.slice(0, MAX_MESSAGE);
  if (error.name === "AbortError") return new BrowseError("cancelled", "The call was cancelled", { cause: error });
  const network = /net::(ERR_[A-Z_]+)(?: at (\S+))?/.exec(said);
  if (network) return navigationError(network[1] ?? "", network[2], error);
  const known = KNOWN.find(([pattern]) => pattern.test(said));
  return known ? new BrowseError(known[1], known[2], { cause: error }) : toBrowseError(error);
}

function navigationError(code: string, url: string | undefined, cause: Error): BrowseError {
  const what = url ? `Cannot load "${url}"` : "Cannot load the page";
  return new BrowseError("navigation_failed", `${what}: ${NETWORK[code] ?? code}`, {
    cause,
    details: { network: code },
  });
}
