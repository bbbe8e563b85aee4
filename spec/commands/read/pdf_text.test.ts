/** PDFs as text: those that a tab shows, in a Chromium that has a viewer for them, those that are files, and downloads. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FULL_CHROMIUM } from "../../harness/full_chromium.ts";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

const INVOICE = `<!doctype html><title>Invoice 7</title><h1>Invoice</h1><p>Lamp, 20 €</p>
  <h1 style="break-before: page">Terms</h1><p style="break-after: page">Pay in a week</p><svg width="50" height="50"><rect width="50" height="50"/></svg>`;

const TEXT = `[page 1 of 3]
Invoice
Lamp, 20 €

[page 2 of 3]
Terms
Pay in a week

[page 3 of 3]
(no text on this page)`;

let site: Site;
let project: Project;
let cookies: (string | undefined)[];

beforeAll(async () => {
  cookies = [];
  site = await Site.serve({ "/": INVOICE });
  project = new Project(FULL_CHROMIUM);
  await project.run("goto", site.url);
  await project.run("pdf", "invoice.pdf");
  const bytes = readFileSync(join(project.dir, "invoice.pdf"));
  const headers = { "content-type": "application/pdf" };
  site.set("/shown", (request, response) => {
    cookies.push(request.headers.cookie);
    response.writeHead(200, headers).end(bytes);
  });
  site.set("/kept", (_request, response) =>
    response.writeHead(200, { ...headers, "content-disposition": "attachment; filename=kept.pdf" }).end(bytes),
  );
  let isFirst = true;
  site.set("/once", (_request, response) => {
    response.writeHead(200, headers).end(isFirst ? bytes : "Only once");
    isFirst = false;
  });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a PDF in the tab", () => {
  it("is read page by page, with the session's cookies, and leaves no tab behind", async () => {
    await project.run("cookie", "seller=ann");
    await project.run("goto", `${site.url}/shown`);
    expect(await project.run("text")).toBe(TEXT);
    expect(await project.run("markdown")).toBe(
      `# Invoice 7\n\n${TEXT.replace(/\[page (\d) of 3\]\n/g, "## Page $1 of 3\n\n")}`,
    );
    expect(cookies.length).toBeGreaterThan(1);
    expect(new Set(cookies)).toEqual(new Set(["seller=ann"]));
    expect((await project.json("tabs")).tabs).toHaveLength(1);
  });

  it("is called one by a snapshot, which says how it is read", async () => {
    await project.run("goto", `${site.url}/shown`);
    for (const flags of [["-i"], []]) {
      expect(await project.run("snapshot", ...flags)).toMatch(
        /\nA PDF, which has no elements\. `browse text` reads it, /,
      );
    }
    expect(await project.json("snapshot")).toMatchObject({ pdf: true, total: 0 });
    await project.run("goto", "about:blank");
    expect(await project.run("snapshot")).not.toContain("PDF");
  });

  it("is read where it came from a file", async () => {
    await project.run("goto", "file:invoice.pdf");
    expect(await project.run("text")).toBe(TEXT);
  });

  it("is refused when the server gives something else the second time", async () => {
    await project.run("goto", `${site.url}/once`);
    expect(await project.refusal("text")).toMatchObject({ kind: "unsupported" });
  });
});

describe("a PDF in a file", () => {
  it("is read by its path, of a download too, which says so", async () => {
    for (const path of ["./invoice.pdf", "file:invoice.pdf", pathToFileURL(join(project.dir, "invoice.pdf")).href]) {
      expect(await project.run("text", path)).toBe(TEXT);
    }
    await project.run("goto", site.url);
    const answer = await project.run("goto", `${site.url}/kept`);
    const [, path = ""] = /download "kept\.pdf" \((\/\S+\.pdf); `browse text` reads it\)/.exec(answer) ?? [];
    expect(await project.run("text", path)).toBe(TEXT);
    expect(await project.run("markdown", path)).toContain("## Page 2 of 3\n\nTerms");
  });

  it("is refused when it is none, or may not be read", async () => {
    writeFileSync(join(project.dir, "not.pdf"), "%PDF-1.4 not really");
    expect(await project.refusal("text", "./not.pdf")).toMatchObject({ kind: "unsupported" });
    expect(await project.refusal("text", "/etc/other.pdf")).toMatchObject({ kind: "blocked_path" });
    expect(await project.refusal("text", "--file", "invoice.txt")).toMatchObject({ kind: "invalid_params" });
  });

  it("is not what a selector is taken for", async () => {
    await project.run("goto", site.url);
    expect(await project.refusal("text", "a.pdf")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("text", 'a[href="/x/y.pdf"]')).toMatchObject({ kind: "not_found" });
  });
});
