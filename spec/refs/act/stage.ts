/** A real Chromium with one tab, and pages served from two origins. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright";
import { Tab } from "../../../browser/tabs/tab.ts";
import { type BrowseError, toBrowseError } from "../../../errors.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { resolve } from "../../../refs/find/target.ts";
import { registerReader } from "../../../refs/reader.ts";
import type { Ref } from "../../../refs/ref_table.ts";
import { sharedChromium } from "../../harness/plain_chromium.ts";

export interface Stage extends AsyncDisposable {
  tab: Tab;
  signal: AbortSignal;
  /** Serves the markup at `/` (or other paths) of both origins and goes there. */
  show(html: string, others?: Record<string, string>): Promise<void>;
  /** The second origin, for frames. */
  other: string;
  origin: string;
  ref(target: string): Promise<Ref>;
  refIn(frameName: string, target: string): Promise<Ref>;
  /** What the page's `log` array holds. */
  log(): Promise<string[]>;
}

/** How a page tells what reached it. */
const LOG = `<script>window.log = []; window.say = (text) => top.log ? top.log.push(text) : log.push(text);</script>`;

export async function openStage({ dialogPolicy = "accept" as "accept" | "ask" } = {}): Promise<Stage> {
  await registerReader();
  const browser = await sharedChromium();
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  const tab = new Tab(page, { id: "t1", session: "test", dialogPolicy: () => dialogPolicy });
  context.on("page", (opened) =>
    tab.events.emit("opened", new Tab(opened, { id: "t2", session: "test", dialogPolicy: () => dialogPolicy })),
  );
  page.on("download", (download) =>
    tab.events.emit("download", { name: download.suggestedFilename(), url: download.url(), path: "/kept" }),
  );
  const pages = new Map<string, string>();
  const servers = [await serve(pages), await serve(pages)] as const;
  const origin = `http://127.0.0.1:${servers[0].port}`;
  // Another host name makes it another site, whose frames live in a process of their own.
  const other = `http://localhost:${servers[1].port}`;
  const { signal } = new AbortController();
  const find = async (name: string | undefined, target: string): Promise<Ref> => {
    tab.scopeTo(name === undefined ? undefined : tab.page.frames().find((frame) => frame.name() === name));
    try {
      return await resolve(tab, target, { signal });
    } finally {
      tab.scopeTo(undefined);
    }
  };
  return {
    tab,
    signal,
    origin,
    other,
    async show(html, others = {}) {
      pages.clear();
      pages.set("/", html);
      for (const [path, body] of Object.entries(others)) pages.set(path, body);
      await page.goto(origin);
    },
    ref: (target) => find(undefined, target),
    refIn: (frameName, target) => find(frameName, target),
    log: () => page.evaluate("log"),
    async [Symbol.asyncDispose]() {
      await stop(context, servers);
    },
  };
}

async function serve(pages: Map<string, string>): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const answer = () => {
      if (path === "/nothing") return response.writeHead(204).end();
      if (path === "/file")
        return response.setHeader("content-disposition", "attachment; filename=file.txt").end("text");
      response.setHeader("content-type", "text/html");
      return response.end(`<!doctype html>${LOG}${pages.get(path) ?? `<h1>${path}</h1>`}`);
    };
    if (path === "/never") return;
    if (path === "/begun") return void response.write("The first part");
    if (path === "/slow") setTimeout(answer, 200);
    else answer();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, port: (server.address() as AddressInfo).port };
}

async function stop(context: BrowserContext, servers: readonly { server: Server }[]): Promise<void> {
  await context.close();
  for (const { server } of servers) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

/** A press as a command makes it, on what the target leads to. */
export async function click({ tab, signal, ref }: Stage, target: string, options = {}): Promise<void> {
  await clickElement(tab, await ref(target), { signal, ...options });
}

/** The error that the work ends in. */
export async function errorOf(work: Promise<unknown>): Promise<BrowseError> {
  try {
    await work;
  } catch (error) {
    return toBrowseError(error);
  }
  throw new Error("It did not fail");
}
