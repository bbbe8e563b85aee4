import * as v from "valibot";
import { MAX_SIDE, takeScreenshot } from "../../browser/tabs/screenshot.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { Target } from "../params.ts";
import { ImagePath, imageEntries, imageFormat, imageParams, imageText } from "./_image_params.ts";
import { settle } from "./_load_whole_page.ts";
import { inViewport } from "./_temporary_viewport.ts";
import { whileTidy } from "./_tidy.ts";

const Params = v.strictObject({
  path: v.exactOptional(ImagePath),
  hide: v.exactOptional(
    v.pipe(v.array(Target), v.maxLength(50), v.description("Elements to hide as well; repeatable")),
  ),
  width: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(200),
      v.maxValue(4_000),
      v.description("Viewport width during the capture"),
    ),
  ),
  ...imageParams,
});

type PrettyParams = v.InferOutput<typeof Params>;

export default defineCommand({
  name: "prettyscreenshot",
  category: "look",
  summary: "Take a clean screenshot of the whole page, without banners and pop-ups",
  description:
    "Scrolls through the page once to trigger lazy loading, waits for fonts and images, and hides consent bars, dialogs " +
    "and what sticks to the window. Afterwards the page is restored, even on failure.",
  scope: "admin",
  effect: "disk",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  timeoutMs: 60_000,
  params: Params,
  cli: { positional: ["path"] },
  result: v.strictObject({
    path: v.string(),
    ...imageEntries,
    hidden: v.pipe(v.array(v.string()), v.description("What was hidden, by tag and text")),
  }),
  examples: ["browse prettyscreenshot", "browse prettyscreenshot shop.png --hide nav --width 1024"],
  async run(context, params) {
    const format = imageFormat(params);
    const { image, hidden } = await prettyImage(context, params, format);
    const { data, pixelRatio: _, ...size } = image;
    const path = params.path ?? artifactPath(context, "pretty", `.${format}`);
    return { path, bytes: await context.save(path, data), ...size, hidden };
  },
  render: ({ hidden, ...result }) =>
    `Wrote ${result.path} (${imageText(result)})${hidden.length > 0 ? `; hid ${hidden.join(", ")}` : ""}`,
});

async function prettyImage(
  { tab, signal }: TabContext,
  { hide = [], width, maxSide = MAX_SIDE }: PrettyParams,
  format: "png" | "jpeg" | "webp",
) {
  return await inViewport(tab, { size: width === undefined ? {} : { width }, signal }, async () => {
    await settle(tab, { scrolls: true, signal });
    const shoot = async () => await takeScreenshot(tab, { format, of: "page", maxSide });
    const { seen, hidden } = await whileTidy(tab, { also: hide, signal }, shoot);
    return { image: seen, hidden };
  });
}
