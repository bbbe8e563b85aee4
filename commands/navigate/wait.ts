import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { isTrue } from "../../browser/script.ts";
import { waitForLoad, waitForUrl, waitUntilTrue } from "../../browser/wait_for.ts";
import { waitForGone, waitForTarget, waitForText } from "../../refs/wait_for.ts";
import { BrowseError } from "../../rpc/errors.ts";
import { defineCommand, type TabContext, Target } from "../command.ts";

const Params = v.strictObject({
  what: v.exactOptional(
    v.pipe(Target, v.description("An element to be there and visible, or a number of milliseconds")),
  ),
  text: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Text to be on the page")),
  ),
  url: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Address to be at; * stands for anything")),
  ),
  load: v.exactOptional(v.pipe(v.boolean(), v.description("The page's load event"))),
  idle: v.exactOptional(v.pipe(v.boolean(), v.description("No request for half a second"))),
  fn: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("JavaScript to become true")),
  ),
  gone: v.exactOptional(v.pipe(Target, v.description("An element to be gone or hidden"))),
});

type WaitParams = v.InferOutput<typeof Params>;

const DEFAULT_TIMEOUT_MS = 15_000;
const MILLISECONDS = /^\d{1,9}$/;

export default defineCommand({
  name: "wait",
  category: "navigate",
  summary: "Wait for an element, a text, an address, a page state, or some milliseconds",
  description: "Other commands on the tab go on meanwhile.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "plain",
  locksTab: false,
  timeoutMs: ({ what }) => (what !== undefined && MILLISECONDS.test(what) ? Number(what) + 1_000 : DEFAULT_TIMEOUT_MS),
  browserless: ({ what }) => what !== undefined && MILLISECONDS.test(what),
  params: Params,
  cli: { positional: ["what"] },
  raises: [{ param: "fn", scope: "admin", effect: "code" }],
  result: v.strictObject({ waitedMs: v.number() }),
  examples: [
    "browse wait 100",
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
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== false);
  if (given.length !== 1) {
    throw new BrowseError("invalid_params", `"wait" takes one thing to wait for, not ${given.length}`);
  }
  const { signal } = context;
  if (params.what !== undefined && MILLISECONDS.test(params.what))
    return await delay(Number(params.what), undefined, { signal });
  const { tab, frame } = context;
  if (params.what !== undefined) return await waitForTarget(tab, params.what, { signal });
  if (params.gone !== undefined) return await waitForGone(tab, params.gone, { signal });
  if (params.text !== undefined) return await waitForText(tab, params.text, { signal });
  if (params.url !== undefined) return await waitForUrl(tab, params.url, signal);
  const { fn } = params;
  if (fn !== undefined) return await waitUntilTrue(() => isTrue(frame, fn), signal);
  return await waitForLoad(tab, params.load ? "load" : "networkidle", signal);
}
