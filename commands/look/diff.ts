import * as v from "valibot";
import { goTo, type NavigationResult } from "../../browser/navigation/navigation.ts";
import { areaOf, MAX_SIDE, takeScreenshot } from "../../browser/tabs/screenshot.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { readText } from "../../refs/read/text.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { SessionContext } from "../context.ts";
import { Address } from "../params.ts";
import { compareImages } from "./_image_diff.ts";
import { settle } from "./_load_whole_page.ts";
import { diffTexts } from "./_text_diff.ts";

const PageSchema = v.strictObject({
  url: v.string(),
  status: v.exactOptional(v.pipe(v.number(), v.description("HTTP status; absent where there is none"))),
});

interface Loaded {
  tab: Tab;
  page: v.InferOutput<typeof PageSchema>;
}

export default defineCommand({
  name: "diff",
  category: "look",
  summary: "Compare two pages: their text, or with --screenshot their looks",
  description:
    "Both are opened in throw-away tabs with the session's cookies; the session's own tabs stay as they are. The image " +
    "of the difference goes to .browse/artifacts, with what differs in red.",
  scope: "meta",
  effect: "none",
  needs: "session",
  reach: "own",
  output: "page",
  fromPage: "whole",
  timeoutMs: 90_000,
  params: v.strictObject({
    url1: Address,
    url2: Address,
    screenshot: v.exactOptional(v.pipe(v.boolean(), v.description("Compare how they look, pixel by pixel"))),
  }),
  cli: { positional: ["url1", "url2"] },
  raises: [{ param: "screenshot", equals: true, scope: "meta", effect: "disk" }],
  result: v.strictObject({
    first: PageSchema,
    second: PageSchema,
    same: v.boolean(),
    added: v.exactOptional(v.pipe(v.number(), v.description("Lines that only the second has"))),
    removed: v.exactOptional(v.pipe(v.number(), v.description("Lines that only the first has"))),
    diff: v.exactOptional(v.pipe(v.string(), v.description("Hunks as diff -u writes them"))),
    path: v.exactOptional(v.pipe(v.string(), v.description("The image of the difference"))),
    width: v.exactOptional(v.number()),
    height: v.exactOptional(v.number()),
    mismatched: v.exactOptional(v.pipe(v.number(), v.description("Pixels that differ"))),
    mismatch: v.exactOptional(v.pipe(v.number(), v.description("The same as a part of all pixels: 0 to 1"))),
  }),
  examples: [
    "browse diff http://shop.example/ http://shop.example/about",
    "browse diff http://shop.example/ http://shop.example/about --screenshot",
  ],
  async run(context, { url1, url2, screenshot }) {
    return await withBoth(context, [url1, url2], async (first, second) => {
      const pages = { first: first.page, second: second.page };
      const compared = screenshot
        ? await comparedImages(context, first.tab, second.tab)
        : await comparedTexts(context, first.tab, second.tab);
      return { ...pages, ...compared };
    });
  },
  render({ first, second, same, added, removed, diff, path, mismatched = 0, mismatch = 0 }) {
    const what = `${first.url} and ${second.url}`;
    const failed = [first, second].filter(({ status = 200 }) => status >= 400);
    const note = failed.map(({ url, status }) => `\n${url} answered ${status}`).join("");
    if (path === undefined) {
      return same ? `${what} say the same${note}` : `${what}: ${added} lines added, ${removed} removed${note}\n${diff}`;
    }
    const percent = `${(mismatch * 100).toFixed(2)} % (${mismatched} pixels)`;
    return same ? `${what} look the same${note}` : `${what} differ in ${percent}: wrote ${path}${note}`;
  },
});

async function withBoth<T>(
  call: SessionContext,
  [one, other]: readonly [string, string],
  use: (first: Loaded, second: Loaded) => Promise<T>,
): Promise<T> {
  const { session, signal } = call;
  return await session.inThrowAwayTab(call, async (firstTab) => {
    return await session.inThrowAwayTab(call, async (secondTab) => {
      const [first, second] = await Promise.all([load(firstTab, one, signal), load(secondTab, other, signal)]);
      return await use({ tab: firstTab, page: first }, { tab: secondTab, page: second });
    });
  });
}

async function load(tab: Tab, url: string, signal: AbortSignal): Promise<v.InferOutput<typeof PageSchema>> {
  const { url: reached, status }: NavigationResult = await goTo(tab, url, { wait: "dom", signal });
  await settle(tab, { scrolls: true, signal });
  return { url: reached, ...(status !== undefined && { status }) };
}

async function comparedTexts({ signal }: SessionContext, first: Tab, second: Tab) {
  const [before, after] = await Promise.all([
    readText(first, undefined, { signal }),
    readText(second, undefined, { signal }),
  ]);
  const { added, removed, diff } = await diffTexts(before, after);
  return { same: diff === "", added, removed, diff };
}

/** Of the larger size of both: where only one page is, they differ. */
async function comparedImages(context: SessionContext, first: Tab, second: Tab) {
  const areas = await Promise.all([first, second].map(async (tab) => await areaOf(await tab.cdp(), "page")));
  const of = {
    x: 0,
    y: 0,
    width: Math.max(...areas.map(({ width }) => width)),
    height: Math.max(...areas.map(({ height }) => height)),
  };
  const shoot = async (tab: Tab) => (await takeScreenshot(tab, { format: "png", of, maxSide: MAX_SIDE })).data;
  const [before, after] = await Promise.all([shoot(first), shoot(second)]);
  const { data, width, height, mismatched } = await compareImages(before, after, context.signal);
  const path = artifactPath(context, "diff", ".png");
  await context.save(path, data);
  return { same: mismatched === 0, path, width, height, mismatched, mismatch: mismatched / (width * height) };
}
