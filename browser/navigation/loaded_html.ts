/**
 * A document that came from a caller, not from a server: shown at an address of its own that only its tab can load, so
 * that `reload`, `back` and a rebuild find it again, and so that it shares no origin with any site.
 */
import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { CDPSession, Page } from "playwright";

/** Permissions for what a draft on this machine is made with: a server here, or in the same network. */
const NEARBY = ["loopback-network", "local-network"];

export class LoadedHtml {
  readonly url: string;
  readonly #body: Buffer;
  readonly #contentType: string;
  readonly #sessions = new Set<CDPSession>();

  /** `fileName` says by its ending what the document is. */
  constructor(body: Buffer, fileName: string) {
    const host = `loaded-${randomBytes(6).toString("hex")}.localhost`;
    this.url = `http://${host}/${encodeURIComponent(fileName)}`;
    this.#body = body;
    this.#contentType = contentTypeOf(fileName, body);
  }

  /** Answers the document's address in this page, and nothing else of its host. */
  async serveIn(page: Page): Promise<void> {
    const cdp = await page.context().newCDPSession(page);
    this.#sessions.add(cdp);
    cdp.on("Fetch.requestPaused", ({ requestId, request }) => {
      const isIt = request.url === this.url;
      const answer = cdp.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: isIt ? 200 : 404,
        responseHeaders: [{ name: "content-type", value: isIt ? this.#contentType : "text/plain" }],
        body: isIt ? this.#body.toString("base64") : "",
      });
      // The page may have gone on without waiting for it.
      answer.catch(() => undefined);
    });
    const { origin } = new URL(this.url);
    await Promise.all([
      cdp.send("Fetch.enable", { patterns: [{ urlPattern: `${origin}/*` }] }),
      ...NEARBY.map((name) => allow(cdp, name, origin)),
    ]);
  }

  async stop(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    // With its page a session is gone too.
    await Promise.all(sessions.map((cdp) => cdp.detach().catch(() => undefined)));
  }
}

/** Chromium takes a document that came from no server for one from the internet, which may not load from nearby. */
async function allow(cdp: CDPSession, name: string, origin: string): Promise<void> {
  const { targetInfo } = await cdp.send("Target.getTargetInfo");
  const { browserContextId } = targetInfo;
  const wanted = { permission: { name }, setting: "granted", origin, ...(browserContextId && { browserContextId }) };
  // Versions that do not know the permission do not ask for it either.
  await cdp.send("Browser.setPermission", wanted as never).catch(() => undefined);
}

/** Without a charset the document's own declaration decides. SVG that names no namespace is shown as part of HTML. */
function contentTypeOf(fileName: string, body: Buffer): string {
  const charset = isUtf8(body) ? "; charset=utf-8" : "";
  if (/\.xhtml$/i.test(fileName)) return `application/xhtml+xml${charset}`;
  const isSvg = /\.svg$/i.test(fileName) && body.includes("http://www.w3.org/2000/svg");
  return isSvg ? `image/svg+xml${charset}` : `text/html${charset}`;
}
