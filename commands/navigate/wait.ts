import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { isTrue } from "../../browser/tabs/script.ts";
import { BrowseError } from "../../errors.ts";
import { matchElsewhere } from "../../refs/find/elsewhere.ts";
import { durationText } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { Target } from "../params.ts";
import { type Seen, waitForGone, waitForTarget, waitForText } from "./_wait_for_element.ts";
import { notIdle, waitForIdle } from "./_wait_for_idle.ts";
import { waitForLoad, waitForUrl, waitUntilTrue } from "./_wait_for_page.ts";
import { UNLOADED, unmetGone, unmetTarget, unmetText, unmetUrl, waitedMs } from "./_waited_for.ts";

const Params = v.strictObject({
  what: v.exactOptional(
    v.pipe(
      Target,
      v.check(
        (what) => !Number.isNaN(waitedMs(what)),
        ({ input }) => `takes an element, or a time such as 500, 500ms or 1.5s, not ${JSON.stringify(input)}`,
      ),
      v.description("An element to become visible, or a time: 500, 500ms, 5s or 2m"),
    ),
  ),
  text: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Text to appear on the page")),
  ),
  url: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Address to reach; * stands for anything")),
  ),
  load: v.exactOptional(v.pipe(v.boolean(), v.description("The page's load event"))),
  idle: v.exactOptional(
    v.pipe(
      v.boolean(),
      v.description(
        "No request for half a second, and none open; streams and long polls held open as before do not count",
      ),
    ),
  ),
  fn: v.exactOptional(
    v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.description("JavaScript expression to become true; needs the scope admin"),
    ),
  ),
  gone: v.exactOptional(v.pipe(Target, v.description("An element to disappear or be hidden"))),
});

type WaitParams = v.InferOutput<typeof Params>;

const DEFAULT_TIMEOUT_MS = 15_000;
/** For a time, unless the caller's own limit is a longer one. */
const MAX_TIME_MS = 5 * 60_000;

export default defineCommand({
  name: "wait",
  category: "navigate",
  summary: "Wait for an element, a text, an address, a page state, or a length of time",
  description: "Other commands can run on the tab meanwhile.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  locksTab: false,
  timeoutMs: ({ what = "" }) => Math.min(waitedMs(what) ?? DEFAULT_TIMEOUT_MS - 1_000, MAX_TIME_MS) + 1_000,
  browserless: ({ what = "" }) => waitedMs(what) !== undefined,
  params: Params,
  exclusive: [["what", "text", "url", "load", "idle", "fn", "gone"]],
  cli: { positional: ["what"] },
  raises: [{ param: "fn", scope: "admin", effect: "code" }],
  result: v.strictObject({ waitedMs: v.number() }),
  examples: [
    "browse wait 100",
    "browse wait 0.1s",
    "browse wait main",
    "browse wait --text Lamp",
    "browse wait --url '*shop.example*'",
    "browse wait --load",
  ],
  async run(context, params) {
    const started = performance.now();
    await conditionOf(context, params);
    return { waitedMs: Math.round(performance.now() - started) };
  },
  render: ({ waitedMs }) => `Waited ${waitedMs} ms`,
});

async function conditionOf(context: TabContext, params: WaitParams): Promise<unknown> {
  if (!Object.values(params).some((value) => value !== undefined && value !== false)) {
    throw new BrowseError("invalid_params", '"wait" needs something to wait for', {
      hint: "Give an element, a time such as 2s, or one of --text, --url, --load, --idle, --fn, --gone",
    });
  }
  const ms = waitedMs(params.what ?? "");
  return ms === undefined ? await stateOf(context, params) : await timeOf(context, ms);
}

async function timeOf({ signal, timeoutMs }: TabContext, ms: number): Promise<void> {
  if (ms > MAX_TIME_MS && ms > timeoutMs) {
    const message = `"wait" takes a time of at most ${durationText(MAX_TIME_MS)}, or what --timeout gives, not ${durationText(ms)}`;
    throw new BrowseError("invalid_params", message, {
      hint: "Wait for what should happen: an element, --text, --url; or give a --timeout that is as long",
    });
  }
  await delay(ms, undefined, { signal });
}

async function stateOf(context: TabContext, { what, gone, text, url, fn, idle }: WaitParams): Promise<unknown> {
  const { tab, frame, signal, waitsFor, log } = context;
  if (what !== undefined) {
    let seen: Seen | undefined;
    waitsFor(() => unmetTarget(what, seen));
    const onLook = (now: Seen) => {
      seen = now;
    };
    return await waitForTarget(tab, what, { signal, onLook });
  }
  if (gone !== undefined) {
    waitsFor(() => unmetGone(gone));
    const wasThere = await waitForGone(tab, gone, { signal });
    const elsewhere = wasThere ? undefined : await matchElsewhere(tab, gone, signal);
    if (elsewhere) log("warning", elsewhere.hint);
    return undefined;
  }
  if (text !== undefined) {
    waitsFor(() => unmetText(text));
    return await waitForText(tab, text, { signal });
  }
  if (url !== undefined) {
    waitsFor(() => unmetUrl(url, tab.url));
    return await waitForUrl(tab, url, signal);
  }
  if (fn !== undefined) {
    waitsFor(() => ({ what: "the script to be true", now: "it is not" }));
    return await waitUntilTrue(() => isTrue(frame, fn), signal);
  }
  if (idle) {
    waitsFor(() => notIdle(tab));
    return await waitForIdle(tab, signal);
  }
  waitsFor(() => tab.pendingNavigation.delay ?? UNLOADED);
  return await waitForLoad(tab, signal);
}
