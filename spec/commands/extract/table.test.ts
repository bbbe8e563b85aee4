/** What a page carries beside its text: tables, media, metadata, and how it meets its visitor. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { type Page, Site } from "../../harness/site.ts";

const RED = pngOf(40, 30);

const picture: Page = (_request, response) =>
  response.writeHead(200, { "content-type": "image/png", "content-length": RED.length }).end(RED);

const TABLES = `<!doctype html><title>Tables</title>
<table id="spans"><caption>Sales</caption>
  <thead><tr><th rowspan="2">Year<th colspan="2">Sold<tr><th>home<th>abroad</thead>
  <tbody><tr><td rowspan="2">2024<td>1,5<td>say "two"<tr><td colspan="2">line one<br>line two<tr style="display:none"><td>hidden<td>x<td>y</tbody>
  <tfoot><tr><td>Sum<td>3<td style="display:none">gone<td>4</tfoot></table>
<div id="two"><table><tr><td>a</table><table><tr><td>b</table></div>
<div id="nested"><table id="outer"><tr><th>Name<th>Inner<tr><td>n<td><table><tr><td>in<td>side</table></table></div>
<div id="grid" role="grid"><div role="row"><span role="gridcell">cell</span></div></div>
<table id="empty"></table>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/tables": TABLES, "/red.png": picture, "/big.png": picture, "/bg.png": picture });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(path: string, html?: string): Promise<void> {
  if (html !== undefined) site.set(path, html);
  await project.run("goto", `${site.url}${path}`, "--wait", "load");
}

describe("table", () => {
  it("fills every place that a cell spans, joins headings, and leaves out what is hidden", async () => {
    await open("/tables");
    expect(await project.json("table", "#spans")).toEqual({
      caption: "Sales",
      columns: ["Year", "Sold / home", "Sold / abroad"],
      rows: [
        ["2024", "1,5", 'say "two"'],
        ["2024", "line one\nline two", "line one\nline two"],
        ["Sum", "3", "4"],
      ],
    });
  });

  it("is CSV as RFC 4180 has it: quotes doubled, lines ended by CR LF", async () => {
    await open("/tables");
    expect((await project.json("table", "#spans", "--csv")).csv).toBe(
      [
        "Year,Sold / home,Sold / abroad",
        '2024,"1,5","say ""two"""',
        '2024,"line one\nline two","line one\nline two"',
        "Sum,3,4",
        "",
      ].join("\r\n"),
    );
    expect((await project.cli(["table", "#spans", "--csv"])).stdout).toMatch(/sold \/ abroad\r\n2024,.*\r\n$/is);
    expect(await project.run("table", "#empty", "--csv")).toBe("");
  });

  it("reads the one table inside an element, and the outer one of two that are nested", async () => {
    await open("/tables");
    expect(await project.json("table", "#nested")).toMatchObject({
      columns: ["Name", "Inner"],
      rows: [["n", "in\tside"]],
    });
    expect(await project.json("table", await project.ref("[table]", "-s", "#nested"))).toMatchObject({
      columns: ["Name", "Inner"],
    });
    expect(await project.json("table", "#empty")).toEqual({ caption: "", columns: [], rows: [] });
  });

  it("refuses what is no table, several of them, and nothing", async () => {
    await open("/tables");
    expect(await project.refusal("table", "#two")).toMatchObject({ kind: "ambiguous", count: 2 });
    expect(await project.refusal("table", "#grid")).toMatchObject({
      kind: "invalid_params",
      hint: expect.stringContaining("browse text"),
    });
    expect(await project.refusal("table", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("table")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("table", "@e9999")).toMatchObject({ kind: "unknown_ref" });
  });
});

describe("media", () => {
  const GALLERY = `<!doctype html><title>Gallery</title><style>#hero { width:200px; height:50px; background-image: url("/bg.png") }</style>
    <img id="plain" src="/red.png" alt="Red &quot;thing&quot;" srcset="/red.png 1x, /big.png 2x, /huge.png 3x">
    <img id="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/later.png" alt="">
    <img id="far" loading="lazy" src="/far.png" style="margin-top:5000px">
    <div id="hero"></div><img src="/red.png" style="display:none" id="gone">
    <video id="video" width="160" height="90" poster="/red.png"><source src="/a.mp4" type="video/mp4"><source src="/a.webm" type="video/webm"></video>
    <video id="hls" src="/live/stream.m3u8?x=1"></video><video id="dash"><source src="/m" type="application/dash+xml"></video><video id="mpd" src="/film.mpd#t=1"></video>
    <audio id="song" src="/song.mp3" preload="none" aria-label="Song"></audio>
    <svg width="10" height="10"><image href="/red.png" width="10" height="10"></image></svg>
    <div id="host"></div><iframe src="/inner"></iframe>
    <script>host.attachShadow({ mode: "open" }).innerHTML = '<img src="/red.png" alt="In the shadow">';</script>`;

  async function all(...argv: string[]): Promise<Record<string, unknown>[]> {
    return (await project.json("media", ...argv)).media as Record<string, unknown>[];
  }

  it("lists pictures with size, type and alternative text, backgrounds, posters, shadow roots and frames", async () => {
    site.set("/inner", '<!doctype html><img src="/red.png" alt="In the frame">');
    await open("/gallery", GALLERY);
    const found = await all();
    const plain = found.find(({ alt }) => alt === 'Red "thing"');
    expect(plain).toMatchObject({ kind: "image", as: "element", url: `${site.url}/red.png`, width: 40, height: 30 });
    expect(plain).toMatchObject({ type: "image/png", bytes: RED.length, isVisible: true });
    // The largest first.
    expect(plain?.sources).toEqual([
      { url: `${site.url}/huge.png`, for: "3x" },
      { url: `${site.url}/big.png`, for: "2x" },
    ]);
    expect(found).toContainEqual(expect.objectContaining({ as: "background", url: `${site.url}/bg.png` }));
    expect(found).toContainEqual(expect.objectContaining({ as: "poster", url: `${site.url}/red.png` }));
    expect(found).toContainEqual(expect.objectContaining({ alt: "In the shadow" }));
    expect(found).toContainEqual(expect.objectContaining({ alt: "In the frame", frame: `${site.url}/inner` }));
    const hidden = found.filter(({ isVisible, isLazy }) => !isVisible && !isLazy);
    expect(hidden.map(({ url }) => url)).toEqual([`${site.url}/red.png`]);
  });

  it("gives the address that a lazy picture waits for, not its placeholder", async () => {
    await open("/gallery", GALLERY);
    const lazy = (await all()).filter(({ isLazy }) => isLazy);
    expect(lazy.map(({ url }) => url)).toEqual([
      `${site.url}/later.png`,
      `${site.url}/far.png`,
      `${site.url}/song.mp3`,
    ]);
    expect(lazy[0]).not.toHaveProperty("width");
  });

  it("marks HLS and DASH, which are no files", async () => {
    await open("/gallery", GALLERY);
    const videos = await all("--videos");
    expect(videos.map(({ stream }) => stream)).toEqual([undefined, "hls", "dash", "dash"]);
    expect(await project.run("media", "--videos")).toContain("stream: HLS");
  });

  it("is narrowed by kind and by element; flags add up", async () => {
    await open("/gallery", GALLERY);
    expect((await all("--audio")).map(({ alt }) => alt)).toEqual(["Song"]);
    expect(new Set((await all("--audio", "--videos")).map(({ kind }) => kind))).toEqual(new Set(["audio", "video"]));
    expect(await all("#hero")).toHaveLength(1);
    expect(await all("#hero", "--videos")).toEqual([]);
    expect(await project.run("media", "#hero", "--videos")).toBe("No media");
    expect(await project.refusal("media", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it("has nothing to tell of a page without any", async () => {
    await open("/bare", "<!doctype html><title>Bare</title>");
    expect(await project.run("media")).toBe("No media");
  });
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
    await open("/head", HEAD);
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
    await open("/head", HEAD);
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
    expect(page).toEqual({ url: `${site.url}/head`, title: "A & B", lang: "de", charset: "UTF-8" });
  });

  it("reads all of it without a flag, and an empty page", async () => {
    await open("/head", HEAD);
    expect(Object.keys(await project.json("data")).sort()).toEqual([
      "jsonld",
      "links",
      "meta",
      "og",
      "page",
      "twitter",
    ]);
    await open("/bare", "<!doctype html><title>Bare</title>");
    expect(await project.json("data")).toMatchObject({ jsonld: [], og: {}, twitter: {}, meta: {}, links: [] });
  });
});

describe("ux-audit", () => {
  it("tells whose site it is, how one gets around, what one can do and read", async () => {
    const words = "word ".repeat(12);
    await open(
      "/shop",
      `<!doctype html><html lang="en"><title>Lamps</title><meta name="description" content="All lamps">
      <header><a href="/"><img src="/red.png" alt="Lampshop"></a>
      <nav aria-label="Main"><a href="/a" aria-current="page">A</a><a href="/b">B</a></nav></header>
      <main><h1>Lamps</h1><h3>Desk</h3><p>${words}</p><p>too short</p><p style="display:none">${words}</p>
      <form aria-label="Find"><input type="search" aria-label="Search" required><input name="nameless"><input aria-label="Shop"><button>Go</button></form>
      <button disabled style="position:absolute;top:3000px">Far</button></main>`,
    );
    const audit = await project.json("ux-audit");
    expect(audit).toMatchObject({
      title: "Lamps",
      lang: "en",
      description: "All lamps",
      home: { text: "Lampshop", url: `${site.url}/` },
      logo: { alt: "Lampshop", url: `${site.url}/red.png` },
      search: { role: "searchbox", name: "Search" },
      viewport: { width: 1280, height: 720 },
      headings: {
        total: 2,
        items: [
          { name: "Lamps", level: 1 },
          { name: "Desk", level: 3 },
        ],
      },
      text: { total: 1, items: [{ words: 12, fontSize: 16 }] },
      forms: { total: 1, items: [{ name: "Find", fields: 3, required: 1, unlabeled: 1, submit: "Go" }] },
    });
    expect(audit.pageHeight).toBeGreaterThan(2_900);
    const { navigation, landmarks, interactive } = audit as Record<string, { items: Record<string, unknown>[] }>;
    expect(navigation?.items).toEqual([
      {
        ref: expect.stringMatching(/^@e\d+$/),
        role: "navigation",
        name: "Main",
        links: [
          { text: "A", url: `${site.url}/a`, isCurrent: true },
          { text: "B", url: `${site.url}/b`, isCurrent: false },
        ],
      },
    ]);
    expect(landmarks?.items.map(({ role }) => role)).toEqual(["banner", "navigation", "main", "form"]);
    const far = interactive?.items.find(({ name }) => name === "Far");
    expect(far).toMatchObject({ role: "button", isInView: false, isDisabled: true });
    await project.run("attrs", String(far?.ref));
  });

  it("lists at most 50 headings and 200 controls, and says how many there are", async () => {
    await open("/many", `<!doctype html>${"<h2>Heading</h2>".repeat(60)}${"<button>Press</button>".repeat(210)}`);
    const { headings, interactive } = (await project.json("ux-audit")) as Record<
      string,
      { items: unknown[]; total: number }
    >;
    expect([headings?.items.length, headings?.total]).toEqual([50, 60]);
    expect([interactive?.items.length, interactive?.total]).toEqual([200, 210]);
  });

  it("finds nothing on a page that has nothing", async () => {
    await open("/bare", "<!doctype html><title>Bare</title>");
    expect(await project.json("ux-audit")).toMatchObject({
      home: null,
      logo: null,
      search: null,
      headings: { total: 0 },
    });
  });
});
