import * as v from "valibot";
import { MAX_SIDE, takeScreenshot } from "../../browser/tabs/screenshot.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import { FileName, writesFile } from "../params.ts";
import { imageEntries, imageParams, imageText } from "./_image_params.ts";
import { settle } from "./_load_whole_page.ts";
import { inViewport } from "./_temporary_viewport.ts";

/** CSS pixels of a common phone, tablet and laptop, held as people hold them. */
const SCREENS = [
  { name: "mobile", width: 375, height: 812 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "desktop", width: 1280, height: 720 },
] as const;

const { maxSide, force } = imageParams;

export default defineCommand({
  name: "responsive",
  category: "look",
  summary: "Take screenshots of the whole page at phone, tablet and desktop widths",
  description: "Three files, whose names begin with the prefix. The viewport is restored afterwards, even on failure.",
  scope: "meta",
  effect: "disk",
  needs: "tab",
  output: "plain",
  fromPage: "nothing",
  timeoutMs: 90_000,
  params: v.strictObject({
    prefix: v.exactOptional(
      v.pipe(
        FileName,
        v.description("How the files' names begin"),
        writesFile({ suffixes: SCREENS.map(({ name }) => suffixOf(name)), isAnswer: true }),
      ),
    ),
    maxSide,
    force,
  }),
  cli: { positional: ["prefix"] },
  result: v.strictObject({
    images: v.array(
      v.strictObject({
        screen: v.picklist(["mobile", "tablet", "desktop"]),
        viewport: v.strictObject({ width: v.number(), height: v.number() }),
        path: v.string(),
        ...imageEntries,
      }),
    ),
  }),
  examples: ["browse responsive", "browse responsive shots/shop"],
  async run(context, { prefix, maxSide: limit = MAX_SIDE }) {
    const { tab, signal, progress, save } = context;
    const beginning = prefix ?? artifactPath(context, "responsive", "");
    const taken = [];
    for (const { name, ...viewport } of SCREENS) {
      const image = await inViewport(tab, { size: viewport, signal }, async () => {
        await settle(tab, { scrolls: true, signal });
        return await takeScreenshot(tab, { format: "png", of: "page", maxSide: limit });
      });
      taken.push({ name, viewport, ...image });
      progress(taken.length, SCREENS.length, "images");
    }
    const images = [];
    for (const { name, viewport, data, pixelRatio: _, ...size } of taken) {
      const path = `${beginning}${suffixOf(name)}`;
      images.push({ screen: name, viewport, path, bytes: await save(path, data), ...size });
    }
    return { images };
  },
  render: ({ images }) =>
    images.map((image) => `Wrote ${image.path} (${image.screen}, ${imageText(image)})`).join("\n"),
});

function suffixOf(name: string): string {
  return `-${name}.png`;
}
