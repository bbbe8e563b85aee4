import * as v from "valibot";
import { type Media, type MediaKind, readMedia } from "../../refs/read/media.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

const Flag = (description: string) => v.exactOptional(v.pipe(v.boolean(), v.description(description)));

const SourceSchema = v.strictObject({
  url: v.string(),
  type: v.exactOptional(v.string()),
  for: v.exactOptional(v.pipe(v.string(), v.description("Of a srcset: 2x, 640w"))),
});

const MediaSchema = v.strictObject({
  kind: v.picklist(["image", "video", "audio"]),
  as: v.pipe(v.picklist(["element", "background", "poster"]), v.description("How the page shows it")),
  url: v.string(),
  type: v.exactOptional(v.pipe(v.string(), v.description("MIME type, where it is known"))),
  alt: v.exactOptional(v.pipe(v.string(), v.description("Absent when the page gives none"))),
  width: v.exactOptional(v.pipe(v.number(), v.description("Pixels of the file, once it is loaded"))),
  height: v.exactOptional(v.number()),
  durationS: v.exactOptional(v.pipe(v.number(), v.description("Seconds"))),
  bytes: v.exactOptional(v.pipe(v.number(), v.description("Of the file, when the page has loaded it"))),
  shown: v.pipe(
    v.strictObject({ width: v.number(), height: v.number() }),
    v.description("Place it takes on the page; CSS pixels"),
  ),
  isVisible: v.boolean(),
  isLazy: v.exactOptional(v.pipe(v.literal(true), v.description("It is loaded when it comes into view"))),
  sources: v.exactOptional(v.pipe(v.array(SourceSchema), v.description("Other addresses of the same thing"))),
  stream: v.exactOptional(
    v.pipe(
      v.picklist(["hls", "dash", "pieces"]),
      v.description("No file: it comes in pieces, by a playlist or a script"),
    ),
  ),
  frame: v.exactOptional(v.pipe(v.string(), v.description("Address of its frame, when that is not the main one"))),
});

export default defineCommand({
  name: "media",
  category: "read",
  summary: "List images, videos and audio: address, size, type, alternative text",
  description:
    "Includes backgrounds, posters, and addresses that a script loads later, in every frame. HLS and DASH streams " +
    "are marked: they are not files. Without a flag, all kinds are listed.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    target: v.exactOptional(Target),
    images: Flag("Images only"),
    videos: Flag("Videos only"),
    audio: Flag("Audio only"),
  }),
  cli: { positional: ["target"] },
  result: v.strictObject({ media: v.array(MediaSchema) }),
  examples: ["browse media", "browse media --images main"],
  async run({ tab, signal }, { target, images, videos, audio }) {
    const asked: MediaKind[] = [
      ...(images ? ["image" as const] : []),
      ...(videos ? ["video" as const] : []),
      ...(audio ? ["audio" as const] : []),
    ];
    const kinds = new Set(asked.length > 0 ? asked : (["image", "video", "audio"] as const));
    const found = await readMedia(tab, target, { kinds, signal });
    return { media: found.map(({ media }) => media) };
  },
  render: ({ media }) => (media.length === 0 ? "No media" : media.map(mediaText).join("\n")),
});

function mediaText(media: Media): string {
  const { kind, as, url, width, height, shown, type, bytes, durationS, alt, isVisible, isLazy, stream } = media;
  const parts = [
    as === "element" ? kind : as,
    shortUrl(url),
    width === undefined ? `${shown.width}x${shown.height} shown` : `${width}x${height}`,
    type,
    bytes === undefined ? undefined : `${bytes} B`,
    durationS === undefined ? undefined : `${Math.round(durationS)} s`,
    alt === undefined ? undefined : `alt=${JSON.stringify(alt)}`,
    isVisible ? undefined : "hidden",
    isLazy && "lazy",
    stream && (stream === "pieces" ? "stream: put together by a script" : `stream: ${stream.toUpperCase()}`),
  ];
  const others = (media.sources ?? []).map((other) => `  or ${shortUrl(other.url)}${other.for ? ` ${other.for}` : ""}`);
  return [parts.filter(Boolean).join(" "), ...others].join("\n");
}

/** A data address is the file itself. */
function shortUrl(url: string): string {
  return url.startsWith("data:") && url.length > 60 ? `${url.slice(0, 60)}… (${url.length} characters)` : url;
}
