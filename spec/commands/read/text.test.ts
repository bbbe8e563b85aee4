import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const ARTICLE = `<!doctype html><title>Article</title>
<nav><a href="/a">First</a> <a href="/b">Second</a> <a href="/a">First</a></nav>
<main><h1>Lamps</h1><p>A lamp gives <b>light</b>.</p><p>Second paragraph</p>
<p style="display:none">Never shown</p><p style="visibility:hidden">Not shown either</p>
<table><tr><td>Color</td><td>black</td></tr><tr><td>Year</td><td>1949</td></tr></table>
<script>var notText = 1</script></main>
<iframe srcdoc="<p>Inside the frame</p>"></iframe>`;

/** Parts that appear when they are scrolled to, and slides beside the one that is shown. */
const REVEALED = `<!doctype html><title>Shop</title><style>.reveal{opacity:0;transition:opacity 1s}
  .slides{overflow:hidden;width:400px;white-space:nowrap}.slides>div{display:inline-block;width:400px}</style>
<main><h1>Lamps</h1><p>A lamp gives light, and more of it than a candle does in the whole of a night.</p>
<section class=reveal><h2>Prices</h2><p>From 9 a month</p></section>
<div class=slides><div>Slide one</div><div aria-hidden=true tabindex=-1>Slide two tells of the lamp that stood in a lighthouse</div></div>
<section class=reveal><h2>Open</h2><p>From nine to six</p></section></main>`;

/** What pages hide that is no part of what they say now. */
const ORDINARY = `<!doctype html><title>Ordinary</title><style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}
  .closed{opacity:0;position:absolute}</style>
<a href=#main class=sr-only>Skip to the main content of this page</a><nav><button>Menu</button><ul class=closed><li><a href=/a>All of our lamps</a><li><a href=/b>All of our shops</a></ul></nav>
<span role=tooltip class=closed>What this button does when it is pressed</span><i class=closed>arrow_forward</i>
<a href=/c>More <span class=closed>about us</span></a><p style="display:none">A menu that is closed</p><main id=main><p>Open from nine to six</p></main>`;

const BIG = `<!doctype html><title>Big</title>${Array.from({ length: 20_000 }, (_, i) => `<p>Line ${i} of many</p>`).join("")}`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/article": ARTICLE,
    "/revealed": REVEALED,
    "/ordinary": ORDINARY,
    "/big": BIG,
    "/scripts": `<!doctype html><title>Scripts</title><p>שלום 👩‍👩‍👧 مرحبا</p><p id="bad"></p><button></button>
      <script>for (const it of document.querySelectorAll("#bad, button")) it.textContent = "half \\ud83d a pair"</script>`,
    "/latin": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html; charset=iso-8859-1" })
        .end(Buffer.from("<!doctype html><title>Latin</title><p>Caf\u00e9 cr\u00e8me</p>", "latin1")),
    "/control": `<!doctype html><title>Control</title><pre id="out"></pre>
      <script>document.getElementById("out").textContent = "red\\u001b[31m bell\\u0007"</script>`,
    "/drawing": (_request, response) =>
      response
        .writeHead(200, { "content-type": "image/svg+xml" })
        .end(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">Drawn text</text></svg>`),
    "/xhtml": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/xhtml+xml" })
        .end(
          `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>Strict</p><button>Go</button></body></html>`,
        ),
    "/data": (_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(`{"lamp": [1, 2]}`),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("text", () => {
  it("is what a person sees: blocks apart, cells apart, hidden text left out, frames included", async () => {
    await project.run("goto", `${site.url}/article`, "--wait", "load");
    const text = await project.run("text");
    expect(text).toContain("A lamp gives light.\n");
    expect(text).toContain("Second paragraph");
    expect(text).toContain("Inside the frame");
    expect(text).toMatch(/Color\s+black\s+Year\s+1949/);
    for (const unseen of ["Never shown", "Not shown either", "notText"]) expect(text).not.toContain(unseen);
  });

  it.each([["text"], ["markdown"], ["markdown", "--article"]])(
    "says how many passages are hidden and left out: %s %s",
    async (...argv) => {
      await project.run("goto", `${site.url}/revealed`);
      const { stdout, stderr } = await project.cli(argv.filter((word) => word !== undefined));
      expect(stdout).toContain("A lamp gives light");
      expect(stdout).not.toContain("From 9 a month");
      expect(stderr).toContain("3 passages of the page are hidden now and left out: `browse snapshot` has them");
      expect(await project.run("snapshot")).toContain("From 9 a month");
    },
  );

  it("says nothing of menus that are closed, tooltips, icons and words for screen readers", async () => {
    await project.run("goto", `${site.url}/ordinary`);
    expect((await project.cli(["text"])).stderr).toBe("");
    expect((await project.cli(["markdown"])).stderr).toBe("");
  });

  it("is of one element when asked for by selector or ref", async () => {
    await project.run("goto", `${site.url}/article`);
    expect(await project.run("text", "h1")).toBe("Lamps");
    expect(await project.run("text", await project.ref('[heading] "Lamps"'))).toBe("Lamps");
    expect(await project.refusal("text", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it("keeps every script, and never a lone surrogate", async () => {
    await project.run("goto", `${site.url}/scripts`);
    const text = await project.run("text");
    expect(text).toContain("שלום 👩‍👩‍👧 مرحبا");
    expect(text).toContain("half \ufffd a pair");
    const { text: typed } = await project.json("text");
    expect(String(typed).isWellFormed()).toBe(true);
  });

  it.each([
    ["snapshot -i", "snapshot", "-i"],
    ["find", "find", "half"],
    ["an action", "hover", "button"],
    ["a refusal", "fill", "button", "x"],
    ["JSON", "ux-audit"],
    ["a script's value", "js", "({ text: bad.textContent })"],
  ])("shows no part of a character in %s either", async (_, ...argv) => {
    const { stdout, stderr } = await project.cli(argv);
    expect(stdout + stderr).toContain("half \ufffd a pair");
    expect(stdout + stderr).not.toMatch(/\\u\{?d83d/i);
  });

  it("is right on pages that are not UTF-8", async () => {
    await project.run("goto", `${site.url}/latin`);
    expect(await project.run("text")).toBe("Café crème");
  });

  it("cannot steer the terminal", async () => {
    await project.run("goto", `${site.url}/control`);
    const text = await project.run("text");
    expect(text).toContain("[31m bell");
    expect(text).not.toMatch(/[\u001b\u0007]/);
  });

  it("is cut at a line when it is over the budget, and says how to get more", async () => {
    await project.run("goto", `${site.url}/big`);
    const cut = await project.run("text");
    expect(cut.length).toBeLessThan(24_200);
    expect(cut).toMatch(/\nLine \d+ of many\n+\[\d+ more characters: --offset \d+ goes on, [^\n]*\]$/);
    expect(await project.run("text", "--max-chars", "2000000")).toContain("Line 19999 of many");
    expect(await project.run("text", "--max-chars=30")).toMatch(/^Line 0 of many\n/);
  });

  it.each([
    ["/drawing", "Drawn text"],
    ["/xhtml", "Strict"],
    ["/data", "lamp"],
  ])("reads %s, which is no HTML page", async (path, expected) => {
    await project.run("goto", `${site.url}${path}`);
    expect(await project.run("text")).toContain(expected);
    expect(await project.run("snapshot")).toContain(`${site.url}${path}`);
  });
});
