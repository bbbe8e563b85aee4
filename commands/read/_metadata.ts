/** What a page says of itself for machines: JSON-LD, Open Graph, Twitter cards, meta elements and links. */
import type { Tab } from "../../browser/tabs/tab.ts";
import type { LinkEntry, PageMetadata } from "../../refs/page/extract/protocol.ts";
import { ask } from "../../refs/reader.ts";

/** One value, or all of them where the page gives several. */
export type MetaValues = Record<string, string | string[]>;

/** A JSON-LD script: what it says, or why it cannot be read. */
export type JsonLd = { value: unknown } | { error: string; text: string };

export interface Metadata {
  jsonld: JsonLd[];
  og: MetaValues;
  twitter: MetaValues;
  meta: MetaValues;
  links: LinkEntry[];
  page: Pick<PageMetadata, "url" | "title" | "lang" | "charset">;
}

/** Characters of a script that cannot be read which are shown. */
const MAX_EXCERPT = 200;

export async function readMetadata(tab: Tab, { signal }: { signal: AbortSignal }): Promise<Metadata> {
  const { jsonld, meta, links, ...page } = await ask(tab.frame, "metadata", {}, { signal });
  const groups: Record<"og" | "twitter" | "meta", [string, string][]> = { og: [], twitter: [], meta: [] };
  for (const { name, content } of meta) groups[groupOf(name)].push([name, content]);
  return {
    jsonld: jsonld.map(parseJsonLd),
    og: gathered(groups.og),
    twitter: gathered(groups.twitter),
    meta: gathered(groups.meta),
    links,
    page,
  };
}

/** Open Graph has namespaces of its own for what a page is about. */
function groupOf(name: string): "og" | "twitter" | "meta" {
  if (/^twitter:/i.test(name)) return "twitter";
  return /^(og|article|book|profile|music|video|product|fb):/i.test(name) ? "og" : "meta";
}

function gathered(entries: readonly [string, string][]): MetaValues {
  const byName = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, list]) => {
      const values = list.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** Some sites still put comments or CDATA marks around it, for browsers of the last century. */
function parseJsonLd(script: string): JsonLd {
  const text = script
    .replace(/^\s*(?:\/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*\/)?/, "")
    .replace(/(?:\/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*\/)?\s*$/, "")
    .trim();
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const shown = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
    return { error: text === "" ? "it is empty" : reasonOf(error), text: shown };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "it is not JSON";
}
