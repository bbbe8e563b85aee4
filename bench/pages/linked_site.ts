/** A site of many pages for crawling: each links to the eight below it, and to the first. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const LINKS = 8;
const PARAGRAPH =
  "<p>A page as sites have them, with a few paragraphs that a person would read and a crawler does not.</p>";

export interface LinkedSite extends AsyncDisposable {
  url: string;
  pages: number;
}

export async function serveLinkedSite(pages: number): Promise<LinkedSite> {
  const server = createServer(({ url = "/" }, response) => {
    const page = url === "/" ? 0 : Number(/^\/page\/(\d{1,6})$/.exec(url)?.[1] ?? Number.NaN);
    const isPage = page < pages;
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(isPage ? pageOf(page, pages) : "Not found\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    pages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pageOf(page: number, pages: number): string {
  const below = Array.from({ length: LINKS }, (_, link) => page * LINKS + link + 1).filter((each) => each < pages);
  const links = below.map((each) => `<li><a href="/page/${each}">Page ${each}</a></li>`).join("");
  return `<!doctype html><title>Page ${page}</title><nav><a href="/">First page</a></nav><main><h1>Page ${page}</h1>${PARAGRAPH.repeat(20)}<ul>${links}</ul></main>`;
}
