import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { show } from "./shown.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({});
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("data", () => {
  const HEAD = `<!doctype html><html lang="de"><title>A &amp; B</title>
    <meta charset="utf-8"><meta name="description" content="About"><meta name="csrf-token" content="f00ba4f00ba4f00ba4f00ba4">
    <meta property="og:title" content="Shared"><meta property="og:image" content="/1.png"><meta property="og:image" content="/2.png">
    <meta name="twitter:card" content="summary"><meta property="article:author" content="Ann">
    <link rel="canonical" href="/real"><link rel="stylesheet" href="/x.css"><link rel="alternate" hreflang="en" href="/en">
    <script type="application/ld+json">{"@type":"Product","name":"Lamp"}</script>
    <script type="application/ld+json">{"@type":"Broken",}</script>
    <script type="application/ld+json"><!-- [1] --></script><script type="application/LD+JSON"> </script>
    <svg><title>Not this</title></svg>`;

  it("reads JSON-LD, and reports what is invalid instead of skipping it", async () => {
    await show(project, site, HEAD);
    const { jsonld, ...others } = await project.json("data", "--jsonld");
    expect(jsonld).toEqual([
      { value: { "@type": "Product", name: "Lamp" } },
      { error: expect.stringMatching(/JSON|double-quoted|Expected/), text: '{"@type":"Broken",}' },
      { value: [1] },
      { error: "it is empty", text: "" },
    ]);
    expect(others).toEqual({});
  });

  it("reads Open Graph with repeated values, the Twitter card, other meta elements and links", async () => {
    await show(project, site, HEAD);
    expect(await project.json("data", "--og", "--twitter")).toEqual({
      og: { "og:title": "Shared", "og:image": ["/1.png", "/2.png"], "article:author": "Ann" },
      twitter: { "twitter:card": "summary" },
    });
    const { meta, links, page } = await project.json("data", "--meta");
    expect(meta).toEqual({ description: "About", "csrf-token": "•••" });
    expect(links).toEqual([
      { rel: "canonical", href: `${site.url}/real` },
      { rel: "alternate", href: `${site.url}/en`, hreflang: "en" },
    ]);
    expect(page).toEqual({ url: `${site.url}/shown`, title: "A & B", lang: "de", charset: "UTF-8" });
  });

  it("reads all of it without a flag, and an empty page", async () => {
    await show(project, site, HEAD);
    expect(Object.keys(await project.json("data")).sort()).toEqual([
      "jsonld",
      "links",
      "meta",
      "og",
      "page",
      "twitter",
    ]);
    await show(project, site, "<!doctype html><title>Bare</title>");
    expect(await project.json("data")).toMatchObject({ jsonld: [], og: {}, twitter: {}, meta: {}, links: [] });
  });
});
