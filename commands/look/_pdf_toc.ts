/** A table of contents in what is printed: with links, and the pages that the headings are on. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { ask } from "../../refs/reader.ts";

/**
 * Prints with a table of contents before the page's content, then takes it out again, also when printing fails. It is
 * printed twice: the first time tells which page each heading is on. Throws `not_found` for a page without headings.
 */
export async function printWithContents(
  tab: Tab,
  { title, signal }: { title: string; signal: AbortSignal },
  print: () => Promise<Buffer>,
): Promise<Buffer> {
  const frame = tab.page.mainFrame();
  const { entries } = await ask(frame, "addContents", { title }, { signal });
  if (entries.length === 0) {
    throw new BrowseError("not_found", "The page has no headings to make a table of contents from", {
      hint: "Leave out --toc",
    });
  }
  try {
    const pages = await pagesOf(await print());
    await ask(frame, "numberContents", { pages }, { signal });
    return await print();
  } finally {
    // A page that has gone has nothing to be taken out of.
    await ask(frame, "removeContents", {}).catch(() => undefined);
  }
}

/** The page number of each place that a link of the document leads to, by the fragment. */
async function pagesOf(pdf: Buffer): Promise<Record<string, number>> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(new Uint8Array(pdf));
  try {
    const destinations = (await document.getDestinations()) as Record<string, unknown[]>;
    const pages: Record<string, number> = {};
    for (const [fragment, [page]] of Object.entries(destinations)) {
      pages[decodeURIComponent(fragment)] = 1 + (await document.getPageIndex(page as { num: number; gen: number }));
    }
    return pages;
  } finally {
    await document.destroy();
  }
}
