/** A local web server whose pages a test writes inline. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Page = string | ((request: IncomingMessage, response: ServerResponse) => void);

export class Site implements AsyncDisposable {
  /** For what is served beside pages. */
  readonly server;
  readonly requests: string[] = [];
  readonly #pages: Map<string, Page>;

  private constructor(pages: Map<string, Page>) {
    this.#pages = pages;
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      // Asked for by the browser, whenever it likes, not by the page.
      if (pathname === "/favicon.ico") {
        response.writeHead(204).end();
        return;
      }
      this.requests.push(`${request.method} ${pathname}`);
      this.#answer(pathname, request, response);
    });
  }

  /** Serves `pages` by path. HTML text is sent as it is; a function answers by itself. */
  static async serve(pages: Record<string, Page>): Promise<Site> {
    const site = new Site(new Map(Object.entries(pages)));
    await new Promise<void>((resolve) => site.server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  set(path: string, page: Page): void {
    this.#pages.set(path, page);
  }

  #answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    const page = this.#pages.get(path);
    if (typeof page === "function") {
      page(request, response);
      return;
    }
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(page === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` });
    response.end(page ?? "<!doctype html><title>Not found</title><h1>Not found</h1>");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
