/** HTML to Markdown, in a thread of its own. */
import nodeModule from "node:module";
import type { Readability } from "@mozilla/readability";
import type { parseHTML } from "linkedom";
import type TurndownService from "turndown";
import { inThread, type Threads } from "./_library_thread.ts";

export interface MarkdownSource {
  html: string;
  /** Of the document. */
  title: string;
  /** Only the main content; null when there is none. */
  article: boolean;
}

interface Libraries {
  turndown: string;
  gfm: string;
  readability: string;
  linkedom: string;
}

/** Rejects when the libraries fail on it; ends the thread when `signal` aborts. */
export async function convertToMarkdown(source: MarkdownSource, signal: AbortSignal): Promise<string | null> {
  return await inThread(convert, { source, libraries: librariesHere() }, signal);
}

/** A thread that is started from text would look for packages in the daemon's working folder. */
function librariesHere(): Libraries {
  const require = nodeModule.createRequire(import.meta.url);
  return {
    turndown: require.resolve("turndown"),
    gfm: require.resolve("@joplin/turndown-plugin-gfm"),
    readability: require.resolve("@mozilla/readability"),
    linkedom: require.resolve("linkedom"),
  };
}

/** Stands alone: it travels as text, so that it is the same from source and from a bundle. */
function convert({ parentPort, workerData }: Threads, load: (path: string) => unknown): void {
  const { source, libraries } = workerData as { source: MarkdownSource; libraries: Libraries };
  const Turndown = load(libraries.turndown) as typeof TurndownService;
  const { gfm } = load(libraries.gfm) as { gfm: TurndownService.Plugin };
  let html = source.html;
  if (source.article) {
    const { Readability: Reader } = load(libraries.readability) as { Readability: typeof Readability };
    const { parseHTML: parse } = load(libraries.linkedom) as { parseHTML: typeof parseHTML };
    const { document } = parse(`<!doctype html><html><head><title></title></head><body>${html}</body></html>`);
    document.title = source.title;
    for (const navigation of document.querySelectorAll("nav, [role=navigation]")) navigation.remove();
    // What the page itself calls its main content; there may be less in it than a reader takes for an article.
    const [main, other] = document.querySelectorAll("main, [role=main]");
    if (main && !other) document.body.replaceChildren(main);
    const article = new Reader(document as unknown as Document, { keepClasses: true }).parse();
    if (!article?.content?.trim()) {
      parentPort?.postMessage(null);
      return;
    }
    const heading = article.title
      ? `<h1>${article.title.replace(/[&<]/g, (char) => `&#${char.charCodeAt(0)};`)}</h1>`
      : "";
    html = heading + article.content;
  }
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.use(gfm);
  // The library fences only what is marked as code, too.
  service.addRule("preformatted", {
    filter: (node) => node.nodeName === "PRE" && node.firstChild?.nodeName !== "CODE",
    replacement(_content, node) {
      for (const lineBreak of Array.from((node as Element).getElementsByTagName("br"))) lineBreak.textContent = "\n";
      const text = (node.textContent ?? "").replace(/\n$/, "");
      const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length + 1)));
      return `\n\n${fence}\n${text}\n${fence}\n\n`;
    },
  });
  parentPort?.postMessage(service.turndown(html));
}
