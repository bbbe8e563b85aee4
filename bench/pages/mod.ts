/** Every page of the benchmarks by name. */
import { appPage } from "./app.ts";
import { chattyConsolePage } from "./chatty_console.ts";
import { formPage } from "./form.ts";
import { iframesPage } from "./iframes.ts";
import { linksPage } from "./links.ts";
import { longDocumentPage } from "./long_document.ts";
import { shadowRootsPage } from "./shadow_roots.ts";
import { type StormName, stormPage } from "./storms.ts";
import { tablePage } from "./table.ts";

const NESTED_FRAMES = 5;

const PAGES = {
  form: formPage,
  links: linksPage,
  table: tablePage,
  elements: () => appPage(1_000),
  app: () => appPage(10_000),
  large: () => appPage(44_000),
  document: () => longDocumentPage(100_000),
  iframes: () => iframesPage(NESTED_FRAMES),
  shadow: shadowRootsPage,
  console: chattyConsolePage,
};

export type PageName = keyof typeof PAGES | `storm-${StormName}`;

/** Those that are at rest. */
export const PAGE_NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[];

/** The page's HTML; undefined when no page has that name. `iframes-2` is the page inside `iframes` with two levels left. */
export function pageHtml(name: string): string | undefined {
  const level = /^iframes-(\d)$/.exec(name)?.[1];
  if (level !== undefined) return iframesPage(Number(level));
  if (name.startsWith("storm-")) return stormPage(name.slice("storm-".length));
  return Object.hasOwn(PAGES, name) ? PAGES[name as keyof typeof PAGES]() : undefined;
}
