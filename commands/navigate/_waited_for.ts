/** What `wait` waits for, as its error says it when the time is over. */

import type { Unmet } from "../../browser/unmet.ts";
import { durationMs } from "../../wording.ts";
import type { Seen } from "./_wait_for_element.ts";

const MORE_TIME = "give more time with `--timeout <ms>`";

export const UNLOADED: Unmet = {
  what: "the page to load",
  now: "parts of it are still loading",
  hint: `Go on with what is there, see what is missing with \`browse network\`, or ${MORE_TIME}`,
};

/** Requests named one by one. */
const MAX_OPEN = 3;

/** `open`: the requests that have not ended. */
export function unmetIdle(open: readonly string[]): Unmet {
  const more = open.length > MAX_OPEN ? ` and ${open.length - MAX_OPEN} more` : "";
  const are = open.length > 1 ? "are" : "is";
  return {
    what: "the network to be idle",
    now:
      open.length === 0
        ? "the page goes on asking for things"
        : `${open.slice(0, MAX_OPEN).join(", ")}${more} ${are} still open`,
    hint: `Wait for what you need instead: an element, --text, --url; or ${MORE_TIME}`,
  };
}

/** Milliseconds, when that is what the words mean: no selector begins with a digit or a sign. Not a number for a bad time. */
export function waitedMs(what: string): number | undefined {
  if (!/^[-+.]*\d/.test(what)) return undefined;
  // A fraction of what, is not said.
  return /^\d*\.\d+$/.test(what) ? Number.NaN : durationMs(what);
}

/** `seen`: at the last look; undefined while the page has not answered. */
export function unmetTarget(target: string, seen: Seen | undefined): Unmet {
  const what = `"${target}" to be seen`;
  if (!seen) return { what, now: "the page has not answered" };
  if (seen.count === 0) {
    const hint = seen.elsewhere ?? `Check it against \`browse snapshot\`, or ${MORE_TIME}`;
    return { what, now: "nothing matches it", hint };
  }
  const now = seen.count === 1 ? "the element is there, but hidden" : `${seen.count} elements match, all hidden`;
  return { what, now, hint: `Do what shows it, find another one in \`browse snapshot\`, or ${MORE_TIME}` };
}

export function unmetGone(target: string): Unmet {
  return { what: `"${target}" to be gone`, now: "it can still be seen" };
}

export function unmetText(text: string): Unmet {
  const hint = `See what there is with \`browse text\`, or ${MORE_TIME}`;
  return { what: `the text ${JSON.stringify(text)}`, now: "it cannot be seen on the page", hint };
}

export function unmetUrl(glob: string, url: string): Unmet {
  const hint = `* stands for anything, as in \`*/cart*\`; or ${MORE_TIME}`;
  return { what: `the address "${glob}"`, now: `the tab is at ${url}`, hint };
}
