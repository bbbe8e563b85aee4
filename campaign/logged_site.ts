/** A local web server on an address of its own that keeps everything that reached it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Of one request, what is kept of its body. */
const MAX_BODY = 1_000_000;

export type Served = string | ((request: IncomingMessage, response: ServerResponse) => void);

export class LoggedSite implements AsyncDisposable {
  /** Each request whole, as text. */
  readonly log: string[] = [];
  readonly #pages = new Map<string, Served>();
  readonly #server = createServer((request, response) => this.#take(request, response));

  /** Other addresses of the loopback range are other sites to a browser: cookies, domains, frames. */
  static async serve(pages: Readonly<Record<string, Served>>, address = "127.0.0.1"): Promise<LoggedSite> {
    const site = new LoggedSite();
    for (const [path, page] of Object.entries(pages)) site.set(path, page);
    await new Promise<void>((resolve, reject) => site.#server.once("error", reject).listen(0, address, resolve));
    return site;
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  set(path: string, page: Served): void {
    this.#pages.set(path, page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    // Asked for by the browser, whenever it likes, not by the page.
    if (pathname === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    const at = this.log.push(`${request.method} ${request.url}\n${request.rawHeaders.join("\n")}\n`) - 1;
    request
      .on("error", () => {})
      .on("data", (part: Buffer) => {
        const soFar = this.log[at] ?? "";
        if (soFar.length < MAX_BODY) this.log[at] = soFar + part.toString("latin1");
      });
    const page = this.#pages.get(pathname);
    if (typeof page === "function") page(request, response);
    else {
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
      response.end(page ?? "<!doctype html><title>Not found</title><h1>Not found</h1>");
    }
  }
}
