/** Addresses in the page, made absolute. */
import { attributeOf, baseUrl } from "./dom.ts";

/** What relative addresses are relative to. */
export interface Base {
  url: string;
  /** Before the path; undefined where addresses have none (`data:`, `about:`). */
  origin: string | undefined;
}

export function baseOf(url: string): Base {
  const origin = URL.parse(url)?.origin;
  return { url, origin: /^https?:/.test(url) ? origin : undefined };
}

/** Paths that a parser leaves as they are: no dot segments, nothing to escape. Parsing is what costs most about a link. */
const PLAIN_PATH = /^\/(?!\/)(?!.*\/\.)[\w/?=&.-]*$/;

/** Where a link leads; undefined when it leads nowhere. */
export function urlOf(link: Element, base: Base): string | undefined {
  const href = attributeOf(link, "href") ?? attributeOf(link, "xlink:href");
  if (href === null) return undefined;
  if (base.origin !== undefined && PLAIN_PATH.test(href)) return base.origin + href;
  if (link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) return link.href || undefined;
  return absolute(href);
}

/** Of an address, in what is read of a page; as answers have it (`cutUrl`). Characters. */
const MAX_SHOWN = 8_192;

export function shownUrl(url: string): string {
  if (url.length <= MAX_SHOWN) return url;
  return `${url.slice(0, MAX_SHOWN)}… (${url.length - MAX_SHOWN} more characters)`;
}

export function absolute(url: string): string {
  return URL.parse(url, baseUrl())?.href ?? url;
}
