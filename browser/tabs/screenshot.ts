/** Images of a tab, taken through CDP in one step: no waiting for fonts, scaled by the browser itself. */
import type { CDPSession } from "playwright";
import { BrowseError } from "../../errors.ts";
import { directly } from "../driver/direct_session.ts";
import { imageSize } from "./image_size.ts";
import type { Tab } from "./tab.ts";

export type ImageFormat = "png" | "jpeg" | "webp";

/** A longer side makes some vision models refuse the whole turn (pitfalls.md, 52). */
export const MAX_SIDE = 2_000;

/** In CSS pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ScreenshotOptions {
  format: ImageFormat;
  /** An area of the whole page, in its own coordinates; "viewport" is what is in view, "page" all of it. */
  of: Area | "viewport" | "page";
  /** Longest side of the image in pixels; a larger area is scaled down. */
  maxSide: number;
}

export interface Screenshot {
  data: Buffer;
  width: number;
  height: number;
  /** Below 1 when the image was scaled down to `maxSide`. */
  scale: number;
  /** Pixels of the image for each CSS pixel. */
  pixelRatio: number;
}

/** What a lossy image loses is not seen at this quality; a PNG has none. */
const QUALITY = 85;

/** Throws `not_visible` for an empty area. */
export async function takeScreenshot(tab: Tab, { format, of, maxSide }: ScreenshotOptions): Promise<Screenshot> {
  const cdp = await tab.cdp();
  const area = typeof of === "object" ? of : await areaOf(cdp, of);
  if (area.width < 1 || area.height < 1) {
    throw new BrowseError("not_visible", "There is nothing to capture: the area is empty");
  }
  const capture = async (scale: number) =>
    await captureImage(cdp, { format, area, scale, isInView: of === "viewport" });
  let scale = Math.min(1, maxSide / Math.max(area.width, area.height));
  let data = await capture(scale);
  let size = imageSize(data);
  const longest = Math.max(size.width, size.height);
  // Only the image tells of a screen that has more pixels than CSS counts.
  if (longest > maxSide) {
    scale *= maxSide / longest;
    data = await capture(scale);
    size = imageSize(data);
  }
  return { data, ...size, scale, pixelRatio: Math.max(size.width, size.height) / Math.max(area.width, area.height) };
}

/** What is in view, or the whole page, in the page's coordinates. */
export async function areaOf(cdp: CDPSession, what: "viewport" | "page"): Promise<Area> {
  const { cssContentSize, cssVisualViewport } = await directly(cdp).send("Page.getLayoutMetrics");
  const { pageX, pageY, clientWidth, clientHeight } = cssVisualViewport;
  if (what === "viewport") return { x: pageX, y: pageY, width: clientWidth, height: clientHeight };
  // A page shorter than the window still fills it.
  const width = Math.max(cssContentSize.width, clientWidth);
  return { x: 0, y: 0, width, height: Math.max(cssContentSize.height, clientHeight) };
}

interface Capture {
  format: ImageFormat;
  area: Area;
  scale: number;
  isInView: boolean;
}

async function captureImage(cdp: CDPSession, { format, area, scale, isInView }: Capture): Promise<Buffer> {
  const { data } = await directly(cdp).send("Page.captureScreenshot", {
    format,
    clip: { ...area, scale },
    captureBeyondViewport: !isInView,
    optimizeForSpeed: format === "png",
    ...(format === "png" ? {} : { quality: QUALITY }),
  });
  return Buffer.from(data, "base64");
}
