/** Serves the pages of the benchmarks on a free port of 127.0.0.1. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type PageName, pageHtml } from "./mod.ts";

export interface PageServer extends AsyncDisposable {
  url(page: PageName): string;
}

export async function servePages(): Promise<PageServer> {
  const made = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1);
    if (!made.has(name)) made.set(name, pageHtml(name));
    const html = made.get(name);
    response.writeHead(html === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(html ?? "Not found\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (page) => `http://127.0.0.1:${port}/${page}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
