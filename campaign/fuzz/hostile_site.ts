/** Serves the page of a case: the examples' own, with one channel turned against whoever reads it. */
import { WebSocketServer } from "ws";
import { Site } from "../../spec/harness/site.ts";
import { EXAMPLE_BODY } from "../example_page.ts";
import { CHANNELS, type Channel } from "./channels.ts";
import { type Payload, payloadScript, payloadText } from "./payloads.ts";

const QUIET_PAGE = `<!doctype html><title>Quiet</title><p>Nothing happens here</p>`;

export interface Hostility {
  channel: string;
  payload: Payload;
}

export class HostileSite implements AsyncDisposable {
  readonly #site: Site;
  readonly #sockets: WebSocketServer;

  private constructor(site: Site) {
    this.#site = site;
    this.#sockets = new WebSocketServer({ server: site.server, path: "/socket", maxPayload: 512 * 1024 * 1024 });
    this.#sockets.on("connection", (socket) => {
      socket.on("error", () => {}).on("message", (data) => socket.send(data));
    });
    // A handshake that the page made too large.
    this.#sockets.on("error", () => {});
    site.server.on("clientError", (_error, socket) => socket.destroy());
  }

  static async serve(): Promise<HostileSite> {
    return new HostileSite(await Site.serve({ "/quiet": QUIET_PAGE, "/": page(""), "/about": page("") }));
  }

  get url(): string {
    return this.#site.url;
  }

  /** From now on `/case` is this one. */
  show({ channel, payload }: Hostility): void {
    const { script = "", head, side }: Channel = CHANNELS[channel] ?? {};
    const large = head || side ? payloadText(payload) : "";
    this.#site.set("/case", (_request, response) => {
      head?.(response, large);
      response.writeHead(200, response.statusMessage ?? "OK", { "content-type": "text/html; charset=utf-8" });
      const run = script === "" ? "" : `<script>{ ${payloadScript(payload)} ${script} }</script>`;
      response.end(page(run));
    });
    this.#site.set("/side", (request, response) => {
      request.on("error", () => {}).resume();
      if (side) side(request, response, large);
      else response.end("x");
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    await this.#site[Symbol.asyncDispose]();
  }
}

function page(extra: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title>${EXAMPLE_BODY}${extra}</html>`;
}
