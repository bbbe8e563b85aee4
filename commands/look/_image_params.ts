/** What every command that takes images is told of them, and answers. */
import * as v from "valibot";
import type { ImageFormat, Screenshot } from "../../browser/tabs/screenshot.ts";
import { BrowseError } from "../../errors.ts";
import { Force, writesFile } from "../params.ts";

/** File name endings of images. */
export const IMAGE_EXTENSIONS = [".png", ".jpg", ".jpeg", ".webp"];

export const imageParams = {
  format: v.exactOptional(
    v.pipe(v.picklist(["png", "jpeg", "webp"]), v.description("Image format (default: by the path, else png)")),
  ),
  maxSide: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(16),
      // What a WebP can hold.
      v.maxValue(16_383),
      v.description("Longest side in pixels (default 2000, as much as vision models take)"),
    ),
  ),
  force: Force,
};

export const ImagePath = v.pipe(
  v.string(),
  v.description("Where to write it: .png, .jpg or .webp"),
  writesFile({ extensions: IMAGE_EXTENSIONS, isAnswer: true }),
);

export const imageEntries = {
  width: v.pipe(v.number(), v.description("Pixels")),
  height: v.number(),
  bytes: v.number(),
  scale: v.pipe(v.number(), v.description("Below 1 when it was scaled down to fit --max-side")),
};

/** What the flag or the file's name asks for. Throws `invalid_params` when they do not agree. */
export function imageFormat({
  format,
  path,
}: {
  format?: ImageFormat | undefined;
  path?: string | undefined;
}): ImageFormat {
  const byName = path === undefined ? undefined : formatByName(path);
  if (format && byName && format !== byName) {
    throw new BrowseError("invalid_params", `"--format ${format}" does not fit the file name "${path}"`);
  }
  return format ?? byName ?? "png";
}

function formatByName(path: string): ImageFormat {
  if (/\.jpe?g$/i.test(path)) return "jpeg";
  return /\.webp$/i.test(path) ? "webp" : "png";
}

/** `1280x720`, and how far it was scaled down. */
export function imageText({ width, height, scale }: Pick<Screenshot, "width" | "height" | "scale">): string {
  return `${width}x${height}${scale < 1 ? `, scaled to ${Math.round(scale * 100)} %` : ""}`;
}
