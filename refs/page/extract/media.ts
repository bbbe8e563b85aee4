/** Pictures, films and sound of a document: what is shown, what waits to be shown, and what only looks like a file. */

import { Reading } from "../aria/reading.ts";
import { Visibility } from "../aria/visibility.ts";
import { attributeOf, childElementsOf, elementMatches, fold, has, rectOf, tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { absolute, urlOf } from "../dom/url.ts";
import { queryAcross } from "../find/query.ts";
import type { ElementId } from "../protocol.ts";
import { goneOr, rootFor } from "../read/text.ts";
import type { ExtractOperations, MediaDescription, MediaSource, StreamKind } from "./protocol.ts";

/** Attributes that lazy-loading scripts keep addresses in. */
const LAZY = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-hi-res-src", "data-bg"];
const LAZY_SETS = ["data-srcset", "data-lazy-srcset"];

/** More than any gallery has; the rest is not told of. */
const MAX_MEDIA = 2_000;

type Found = Omit<MediaDescription, "n" | "box" | "isVisible">;

/** In document order; each address of an element once. */
export function media(elements: Elements, params: Partial<ElementId>): ExtractOperations["media"]["answer"] {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", media: [] });
  const reading = new Reading({ whole: true });
  const visibility = new Visibility(reading);
  const found: MediaDescription[] = [];
  for (const element of [root, ...queryAcross(root, "*")]) {
    for (const description of describe(element, reading)) {
      if (found.length >= MAX_MEDIA) return { state: "here", media: found };
      const { x, y, width, height } = rectOf(element);
      const reason = visibility.hiddenReason(element);
      const isVisible = reason === undefined || reason === "aria-hidden";
      found.push({ ...description, box: { x, y, width, height }, isVisible, n: elements.numberOf(element) });
    }
  }
  return { state: "here", media: found };
}

/** What a download of the element means. */
export function source(elements: Elements, params: ElementId): ExtractOperations["source"]["answer"] {
  const element = elements.find(params);
  if (!element) return elements.gone(params);
  const reading = new Reading({ whole: false });
  const [own] = describe(element, reading);
  if (own) {
    const { url, kind, stream } = own;
    return { state: "here", source: { url, kind, ...(stream && { stream }) } };
  }
  const url = urlOf(element, reading.base) ?? embeddedUrl(element);
  return { state: "here", source: url === undefined ? null : { url } };
}

function embeddedUrl(element: Element): string | undefined {
  const address = attributeOf(element, tagOf(element) === "object" ? "data" : "src");
  return address ? absolute(address) : undefined;
}

function describe(element: Element, reading: Reading): Found[] {
  switch (tagOf(element)) {
    case "img":
      return sessionStateOf(element as HTMLImageElement);
    case "image":
      return plainImage(attributeOf(element, "href") ?? attributeOf(element, "xlink:href"));
    case "input":
      return elementMatches(element, "[type=image]") ? plainImage(attributeOf(element, "src"), altOf(element)) : [];
    case "video":
      return [...videoOf(element as HTMLVideoElement, "video"), ...posterOf(element as HTMLVideoElement)];
    case "audio":
      return videoOf(element as HTMLAudioElement, "audio");
    default:
      return backgroundsOf(element, reading);
  }
}

function sessionStateOf(image: HTMLImageElement): Found[] {
  const lazy = lazySources(image);
  const shown = image.currentSrc || image.src;
  // A data address is what stands there until the picture comes.
  const isPlaceholder = lazy.length > 0 && (shown === "" || shown.startsWith("data:"));
  const sources = [...lazy, ...setOf(attributeOf(image, "srcset")), ...pictureSources(image)];
  const url = isPlaceholder ? lazy[0]?.url : shown || sources[0]?.url;
  if (!url) return [];
  const { naturalWidth, naturalHeight } = image;
  const isLoaded = !isPlaceholder && image.complete && naturalWidth > 0;
  return [
    {
      kind: "image",
      as: "element",
      url,
      ...(has(image, "alt") && { alt: altOf(image) ?? "" }),
      ...(isLoaded && { width: naturalWidth, height: naturalHeight }),
      ...((lazy.length > 0 || image.loading === "lazy") && { isLazy: true }),
      ...othersThan(url, sources),
    },
  ];
}

function altOf(element: Element): string | undefined {
  const alt = attributeOf(element, "alt");
  return alt === null ? undefined : fold(alt);
}

function plainImage(address: string | null, alt?: string): Found[] {
  if (!address || address.startsWith("#")) return [];
  return [{ kind: "image", as: "element", url: absolute(address), ...(alt !== undefined && { alt }) }];
}

function videoOf(element: HTMLMediaElement, kind: "video" | "audio"): Found[] {
  const listed = [...childElementsOf(element)].filter((child) => tagOf(child) === "source").flatMap(sourceOf);
  const sources = [...lazySources(element), ...listed];
  const own = attributeOf(element, "src");
  const url = element.currentSrc || (own ? absolute(own) : sources[0]?.url);
  if (!url) return [];
  const type = sources.find((candidate) => candidate.url === url)?.type;
  const stream = streamKind(url, type) ?? sources.map((other) => streamKind(other.url, other.type)).find(Boolean);
  const label = attributeOf(element, "aria-label") ?? attributeOf(element, "title");
  const video = element instanceof HTMLVideoElement && element.videoWidth > 0 ? element : undefined;
  return [
    {
      kind,
      as: "element",
      url,
      ...(type && { type }),
      ...(label && { alt: fold(label) }),
      ...(video && { width: video.videoWidth, height: video.videoHeight }),
      ...(Number.isFinite(element.duration) && { durationS: element.duration }),
      ...(element.preload === "none" && { isLazy: true }),
      ...othersThan(url, sources),
      ...(stream && { stream }),
    },
  ];
}

function posterOf(video: HTMLVideoElement): Found[] {
  return video.poster ? [{ kind: "image", as: "poster", url: video.poster }] : [];
}

function backgroundsOf(element: Element, reading: Reading): Found[] {
  const { backgroundImage } = reading.styleOf(element);
  const shown = backgroundImage === "none" ? [] : [...backgroundImage.matchAll(CSS_URL)];
  const urls = shown.map(([, address = ""]) => absolute(address.replace(/\\(.)/g, "$1")));
  const lazy = attributeOf(element, "data-bg") ?? attributeOf(element, "data-background-image");
  const waiting = lazy ? [absolute(lazy.replace(/^url\(["']?|["']?\)$/g, ""))] : [];
  return [...new Set([...urls, ...waiting])]
    .filter((url) => !url.startsWith("#"))
    .map((url) => ({ kind: "image", as: "background", url, ...(!urls.includes(url) && { isLazy: true }) }));
}

/** Computed styles always quote with double quotes. */
const CSS_URL = /url\("((?:[^"\\]|\\.)*)"\)/g;

function pictureSources(image: HTMLImageElement): MediaSource[] {
  const parent = image.parentElement;
  if (!parent || tagOf(parent) !== "picture") return [];
  return [...childElementsOf(parent)].filter((child) => tagOf(child) === "source").flatMap(sourceOf);
}

function sourceOf(element: Element): MediaSource[] {
  const type = attributeOf(element, "type");
  const src = attributeOf(element, "src") ?? attributeOf(element, "data-src");
  const own = src ? [{ url: absolute(src) }] : [];
  return [...own, ...setOf(attributeOf(element, "srcset"))].map((entry) => ({ ...entry, ...(type && { type }) }));
}

function lazySources(element: Element): MediaSource[] {
  const single = LAZY.map((name) => attributeOf(element, name)).filter((address) => address !== null && address !== "");
  const sets = LAZY_SETS.flatMap((name) => setOf(attributeOf(element, name)));
  return [...single.map((address) => ({ url: absolute(address ?? "") })), ...sets];
}

/** The candidates of a `srcset`, the largest first (HTML, "parse a srcset attribute"). */
function setOf(srcset: string | null): MediaSource[] {
  const found: MediaSource[] = [];
  let rest = srcset ?? "";
  for (;;) {
    rest = rest.replace(/^[\s,]+/, "");
    const address = /^\S+/.exec(rest)?.[0];
    if (address === undefined) break;
    rest = rest.slice(address.length);
    // A comma that touches the address ends the candidate; one inside it is a part of it.
    const descriptor = address.endsWith(",") ? "" : (/^[^,]*/.exec(rest)?.[0] ?? "");
    rest = rest.slice(descriptor.length);
    const size = /[\d.]+[wx]/.exec(descriptor)?.[0];
    found.push({ url: absolute(address.replace(/,+$/, "")), ...(size && { for: size }) });
  }
  return found.sort((a, b) => Number.parseFloat(b.for ?? "1") - Number.parseFloat(a.for ?? "1"));
}

function othersThan(url: string, sources: readonly MediaSource[]): { sources?: MediaSource[] } {
  const others = new Map(sources.filter((other) => other.url !== url).map((other) => [other.url, other]));
  return others.size > 0 ? { sources: [...others.values()] } : {};
}

/** By MIME type, else by how the address ends; a film from memory is put together by a script. */
function streamKind(url: string, type: string | undefined): StreamKind | undefined {
  if (/mpegurl/i.test(type ?? "")) return "hls";
  if (/dash\+xml/i.test(type ?? "")) return "dash";
  if (url.startsWith("blob:")) return "pieces";
  const path = url.replace(/[?#].*$/s, "");
  if (/\.m3u8?$/i.test(path)) return "hls";
  return /\.mpd$/i.test(path) ? "dash" : undefined;
}
