/** Waiting until a tab asks for nothing any more. */
import { abortable, within } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Unmet } from "../../browser/unmet.ts";
import { isHeldOpen } from "../../refs/effects/held_open.ts";
import { redactUrl } from "../../security/secrets/redact.ts";
import { waitForLoad } from "./_wait_for_page.ts";
import { unmetIdle } from "./_waited_for.ts";

/** Without a request. */
const QUIET_MS = 500;

/**
 * Waits until the page has loaded and half a second has passed without a request: those under way count, whenever they
 * began. Those that the page holds open by habit, and streams, do not.
 */
export async function waitForIdle(tab: Tab, signal: AbortSignal): Promise<void> {
  await waitForLoad(tab, signal);
  const { underWay } = tab.capture;
  for (;;) {
    const { next } = underWay;
    const left = underWay.lastAt + QUIET_MS - performance.now();
    const isBusy = openIn(tab).length > 0;
    if (!isBusy && left <= 0) return;
    await abortable(isBusy ? next : within(left, next, undefined), signal);
  }
}

/** What it still waits for. */
export function notIdle(tab: Tab): Unmet {
  return tab.pendingNavigation.delay ?? unmetIdle(openIn(tab));
}

/** `GET https://…`, the oldest first. */
function openIn({ capture }: Tab): string[] {
  const asked = capture.underWay.all.map(({ request, begunAt }) => ({
    method: request.method(),
    url: redactUrl(request.url()),
    isNavigation: request.isNavigationRequest(),
    begunAt,
  }));
  const open = asked.filter((each) => each.isNavigation || !isHeldOpen(each, capture.network, each.begunAt));
  return open.map(({ method, url }) => `${method} ${url}`);
}
