/** What a document says of itself in its head: for machines, so hidden text is meant to be here. */
import { attributeOf, documentUrl, fold, queryAll, rootElement, tagOf, textContentOf } from "../dom/dom.ts";
import { absolute } from "../dom/url.ts";
import type { LinkEntry, MetaEntry, PageMetadata } from "./protocol.ts";

/** Far beyond what honest pages have; keeps one page from filling the daemon. */
const MAX_ENTRIES = 1_000;
const MAX_CONTENT = 20_000;
const MAX_JSONLD = 1_000_000;

export function metadata(): PageMetadata {
  const root = rootElement();
  return {
    url: documentUrl(),
    title: fold(titleOf()),
    lang: (root && attributeOf(root, "lang")) ?? "",
    charset: document.characterSet,
    meta: queryAll(document, "meta").slice(0, MAX_ENTRIES).flatMap(metaOf),
    links: queryAll(document, "link[rel][href]").slice(0, MAX_ENTRIES).flatMap(linkOf),
    jsonld: queryAll(document, 'script[type="application/ld+json" i]').map(
      (script) => textContentOf(script)?.slice(0, MAX_JSONLD) ?? "",
    ),
  };
}

/** The document's, not that of a picture in it. */
function titleOf(): string {
  const [title] = queryAll(document, "title").filter((element) => element instanceof HTMLTitleElement);
  return (title && textContentOf(title)) ?? "";
}

function metaOf(element: Element): MetaEntry[] {
  const name = ["property", "name", "http-equiv", "itemprop"]
    .map((attribute) => attributeOf(element, attribute)?.trim())
    .find(Boolean);
  const content = attributeOf(element, "content");
  return name && content !== null ? [{ name, content: content.slice(0, MAX_CONTENT) }] : [];
}

/** What is only there to style the page or to load it faster tells nothing of it. */
const TECHNICAL = /\b(stylesheet|preload|prefetch|preconnect|dns-prefetch|modulepreload)\b/i;

function linkOf(element: Element): LinkEntry[] {
  const rel = attributeOf(element, "rel")?.trim() ?? "";
  const href = attributeOf(element, "href") ?? "";
  if (rel === "" || href === "" || TECHNICAL.test(rel) || tagOf(element) !== "link") return [];
  const entry: LinkEntry = { rel, href: absolute(href) };
  for (const name of ["type", "title", "hreflang", "sizes"] as const) {
    const value = attributeOf(element, name);
    if (value) entry[name] = value;
  }
  return [entry];
}
