import * as v from "valibot";
import { type Area, areaOf, MAX_SIDE, type ScreenshotOptions, takeScreenshot } from "../../browser/tabs/screenshot.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { resolve } from "../../refs/find/target.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { Target, writesFile } from "../params.ts";
import { areaOnPage } from "./_area.ts";
import { IMAGE_EXTENSIONS, ImagePath, imageEntries, imageFormat, imageParams, imageText } from "./_image_params.ts";

const Params = v.strictObject({
  target: v.exactOptional(v.pipe(Target, v.description("Element to capture"))),
  path: v.exactOptional(
    v.pipe(ImagePath, writesFile({ extensions: IMAGE_EXTENSIONS, isAnswer: { unless: "base64" } })),
  ),
  selector: v.exactOptional(
    v.pipe(Target, v.description("Element to capture, when its selector could be mistaken for a path")),
  ),
  viewport: v.exactOptional(v.pipe(v.boolean(), v.description("Only what is in view, not the whole page"))),
  clip: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d+(,\d+){3}$/, "must be x,y,width,height"),
      v.description("Area of the page: x,y,width,height in CSS pixels"),
    ),
  ),
  base64: v.exactOptional(v.pipe(v.boolean(), v.description("Print the data instead of writing a file"))),
  ...imageParams,
});

/** Kinds of files that are no images we can write: as paths they are refused with what can be. */
const OTHER_FILE = /^[\w./-]+\.(?:gif|bmp|tiff?|svg|avif|heic|ico|pdf|txt|md|html?|json|csv|zip|mp4|webm)$/i;

type ScreenshotParams = v.InferOutput<typeof Params>;

export default defineCommand({
  name: "screenshot",
  category: "look",
  summary: "Take a screenshot of the page, the viewport, an element or an area",
  description:
    "Without --viewport it shows the whole page. Without a path the image goes to .browse/artifacts; with --base64 no file " +
    "is written, and read access is enough. A side over 2000 pixels is scaled down, and the answer says so.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  // A file on this machine is of no use elsewhere.
  remote: { with: "base64" },
  output: "plain",
  fromPage: "parts",
  isWhole: true,
  params: Params,
  exclusive: [
    ["target", "selector", "viewport", "clip"],
    ["path", "base64"],
  ],
  cli: { positional: ["target", "path"], place: placeWords },
  raises: [{ param: "base64", equals: true, scope: "read", effect: "none" }],
  result: v.strictObject({
    path: v.exactOptional(v.string()),
    base64: v.exactOptional(v.string()),
    ...imageEntries,
  }),
  examples: [
    "browse screenshot",
    "browse screenshot @e3 button.png",
    "browse screenshot --viewport --format jpeg",
    "browse screenshot --clip 0,0,300,200 --format webp",
    "browse screenshot --selector main --base64 --max-side 600",
  ],
  async run(context, params) {
    const format = imageFormat(params);
    const of = await subjectOf(context, params);
    const image = await takeScreenshot(context.tab, { format, of, maxSide: params.maxSide ?? MAX_SIDE });
    const { data, pixelRatio: _, ...size } = image;
    if (params.base64) {
      if (size.scale < 1 && params.maxSide === undefined)
        context.log("warning", `The image is ${imageText(size)}; --max-side allows more`);
      return { base64: data.toString("base64"), bytes: data.length, ...size };
    }
    const path = params.path ?? artifactPath(context, "screenshot", `.${format}`);
    return { path, bytes: await context.save(path, data), ...size };
  },
  render: (result) => result.base64 ?? `Wrote ${result.path} (${imageText(result)})`,
});

/** A word that ends like a file's name is the path, and so is one that begins like one: `./a` is never a selector. */
function placeWords(words: readonly string[]): Record<string, string> {
  const placed: Record<string, string> = {};
  for (const word of words) {
    const param = namesAFile(word) ? "path" : "target";
    if (placed[param] !== undefined) {
      throw new BrowseError("invalid_params", `"screenshot" takes one ${param}, not "${placed[param]}" and "${word}"`);
    }
    placed[param] = word;
  }
  return placed;
}

function namesAFile(word: string): boolean {
  if (IMAGE_EXTENSIONS.some((extension) => word.toLowerCase().endsWith(extension))) return true;
  return /^(?:~|\.{1,2})?\/(?!\/)/.test(word) || OTHER_FILE.test(word);
}

async function subjectOf({ tab, signal }: TabContext, params: ScreenshotParams): Promise<ScreenshotOptions["of"]> {
  if (params.viewport) return "viewport";
  if (params.clip !== undefined) return await clipArea(tab, params.clip);
  const target = params.target ?? params.selector;
  if (target === undefined) return "page";
  return await areaOnPage(tab, await resolve(tab, target, { signal }), { signal });
}

async function clipArea(tab: Tab, clip: string): Promise<Area> {
  const [x = 0, y = 0, width = 0, height = 0] = clip.split(",").map(Number);
  if (width === 0 || height === 0) throw new BrowseError("invalid_params", `"--clip ${clip}" is an empty area`);
  const page = await areaOf(await tab.cdp(), "page");
  if (x < page.width && y < page.height) return { x, y, width, height };
  throw new BrowseError(
    "not_visible",
    `"--clip ${clip}" lies outside the page, which is ${page.width}x${page.height}`,
    {
      hint: "Give x,y,width,height within the page, in CSS pixels from its top left corner",
      details: { page: { width: page.width, height: page.height } },
    },
  );
}
