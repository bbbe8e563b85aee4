/** Documents as they are found on the web: all that reads a page gets through each of them. */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

const FOLDER = join(import.meta.dirname, "../../fixtures/documents");

/** Without a charset: each document says its own, or leaves it to be found. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".svg": "image/svg+xml",
  ".xml": "text/xml",
  ".json": "application/json",
  ".txt": "text/plain",
};

/** Each with a word that its text has; none for those without text. */
const FILES: Readonly<Record<string, string | undefined>> = {
  "article.html": "Switch it on",
  "bidi_hebrew.html": "מנורה",
  "broken.html": "nested",
  "cjk.html": "𠮷野家",
  "data.json": "Arc",
  "dialog.html": "Sure?",
  "drawing.svg": "A link in a drawing",
  "editors.html": "Hello you",
  "empty.html": undefined,
  "feed.xml": "First",
  "form.html": "Agree",
  "frames.html": "Inner one",
  "frameset.html": "On lamps",
  "generated.html": "Quoted: text",
  "hostile_names.html": "draft",
  "latin_1_wrong.html": "caf",
  "list.html": "Meaning",
  "media.html": undefined,
  "only_script.html": undefined,
  "page.xhtml": "XHTML",
  "plain.txt": "and an empty line above",
  "quirks.html": "literal",
  "rtl_arabic.html": "أضف إلى السلة",
  "shadow.html": "Declared",
  "shift_jis.html": "電灯の種類",
  "spa.html": "Mail 19",
  "table.html": "inner | cell",
  "utf_16.html": "Größe",
  "windows_1251.html": "Купить",
};

const MADE: Readonly<Record<string, { html: string; word: string | undefined }>> = {
  "5 MB of text": {
    html: `<pre>First line\n${"A line of sixty characters, as long as lines in books are.\n".repeat(87_500)}`,
    word: "First line",
  },
  "5,000 levels deep": { html: `${"<div>".repeat(5_000)}<button>Bottom</button>`, word: "Bottom" },
  // More links than any snapshot lists.
  "18,000 elements": { html: "<p>Word <b>bold</b> <a href=/x>link</a></p>".repeat(6_000), word: "Word bold link" },
  "a picture of 5 MB in an address": {
    html: `<p>Picture</p><img alt=Big src="data:image/png;base64,${"A".repeat(5_000_000)}">`,
    word: "Picture",
  },
};

const READERS = ["text", "html", "links", "forms", "snapshot", "snapshot -i -C", "screenshot", "markdown"];

const times: string[] = [];
let site: Site;
let project: Project;

beforeAll(async () => {
  const files = Object.keys(FILES).map((name): [string, Page] => [
    `/${name}`,
    served(readFileSync(join(FOLDER, name)), name),
  ]);
  const made = Object.entries(MADE).map(([name, { html }]): [string, Page] => {
    return [
      `/${encodeURIComponent(name)}`,
      served(`<!doctype html><meta charset=utf-8><title>Made</title>${html}`, ".html"),
    ];
  });
  site = await Site.serve(Object.fromEntries([...files, ...made]));
  project = await SharedProject.open();
});

afterAll(async () => {
  console.log(`Milliseconds for ${READERS.length} readings of each document:\n${times.join("\n")}`);
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function served(body: string | Buffer, name: string): Page {
  return (_request, response) => response.writeHead(200, { "content-type": TYPES[extname(name) || name] }).end(body);
}

const documents = [...Object.entries(FILES), ...Object.entries(MADE).map(([name, { word }]) => [name, word] as const)];

test.each(documents)(
  "%s is read by every command that reads",
  async (name, word) => {
    await project.run("goto", `${site.url}/${encodeURIComponent(name)}`, "--wait", "load", "--timeout", "45s");
    const started = performance.now();
    const { exitCode, stdout, stderr } = await project.cli(["-"], { stdin: READERS.join("\n") });
    times.push(`${String(Math.round(performance.now() - started)).padStart(6)}  ${name}`);
    // One of the files has a frame whose document is not there.
    expect(
      stderr.replace(/^Warning: 1 frame of the page could not be loaded \(the server answered with 404\).*\n/gm, ""),
    ).toBe("");
    expect(exitCode).toBe(0);
    if (word !== undefined) expect(stdout).toContain(word);
  },
  60_000,
);
