import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FULL_CHROMIUM } from "../../harness/full_chromium.ts";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const ARTICLE = `<!doctype html><title>Article</title>
<nav><a href="/a">First</a> <a href="/b">Second</a> <a href="/a">First</a></nav>
<main><h1>Lamps</h1><p>A lamp gives <b>light</b>.</p><p>Second paragraph</p>
<p style="display:none">Never shown</p><p style="visibility:hidden">Not shown either</p>
<table><tr><td>Color</td><td>black</td></tr><tr><td>Year</td><td>1949</td></tr></table>
<script>var notText = 1</script></main>
<iframe srcdoc="<p>Inside the frame</p>"></iframe>`;

const FORM = `<!doctype html><title>Form</title>
<form action="/order" method="post" name="order">
  <label>Email <input name="email" type="email" required value="ann@shop.example"></label>
  <label>Password <input name="password" type="password" value="hunter2"></label>
  <label>Access token <input name="access_token" value="tok-in-a-text-field"></label>
  <label>Size <select name="size"><option value="s">Small</option><option value="l" selected>Large</option></select></label>
  <label><input type="checkbox" name="gift" checked> Gift</label>
  <button>Send</button>
</form>`;

/** One empty page. */
const PAPER = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>> endobj
trailer <</Root 1 0 R>>
%%EOF`;

const BIG = `<!doctype html><title>Big</title>${Array.from({ length: 20_000 }, (_, i) => `<p>Line ${i} of many</p>`).join("")}`;

const ENDLESS_FORM = `<!doctype html><title>Endless</title><form><select id=s></select><textarea id=t></textarea></form><script>
  s.name = "x".repeat(1e5);
  t.value = "t".repeat(1e5);
  for (let i = 0; i < 1_500; i++) s.add(new Option("l".repeat(i ? 1 : 1e5), "v".repeat(i ? 1 : 1e5)));
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/article": ARTICLE,
    "/form": FORM,
    "/endless-form": ENDLESS_FORM,
    "/big": BIG,
    "/empty": "<!doctype html><title></title>",
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
    "/paper": (_request, response) => response.writeHead(200, { "content-type": "application/pdf" }).end(PAPER),
    "/attached": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/pdf", "content-disposition": "attachment; filename=paper.pdf" })
        .end(PAPER),
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

describe("a file", () => {
  it("to download leaves the tab where it is, and is named", async () => {
    await project.run("goto", `${site.url}/form`);
    const stays = `The server sent a file to download: the tab stays at ${site.url}/form → download paper.pdf (/`;
    expect((await project.run("goto", `${site.url}/attached`)).slice(0, stays.length)).toBe(stays);
    expect(await project.run("url")).toBe(`${site.url}/form`);
  });

  it("in the browser's PDF viewer is read page by page, and takes all commands that read", async () => {
    await using full = new Project(FULL_CHROMIUM);
    expect(await full.run("goto", `${site.url}/paper`)).toBe(`Navigated to ${site.url}/paper (200)`);
    expect(await full.run("text")).toBe("[page 1 of 1]\n(no text on this page)");
    expect(await full.run("snapshot")).toContain(`${site.url}/paper`);
    expect(await full.run("links")).toBe("No links");
    expect(await full.run("screenshot", "--viewport")).toContain("(1280x720)");
    expect(await full.run("goto", `${site.url}/form`)).toContain("(200)");
  });
});

describe("an empty page", () => {
  it("has an answer for every reader", async () => {
    await project.run("goto", `${site.url}/empty`);
    expect(await project.run("text")).toBe("");
    expect(await project.run("title")).toBe("");
    expect(await project.run("links")).toBe("No links");
    expect(await project.run("forms")).toBe("[]");
    expect(await project.run("find", "lamp")).toBe("No match");
    expect(await project.run("count", "p")).toBe("0");
    expect(await project.run("html")).toContain("<body></body>");
    expect(await project.run("markdown")).toBe("");
    expect(await project.run("accessibility")).toMatch(/^RootWebArea/);
    expect(await project.run("snapshot", "-i")).toContain(`${site.url}/empty`);
  });
});

describe("html", () => {
  it("is the page's own, without a trace of a snapshot", async () => {
    await project.run("goto", `${site.url}/article`);
    const before = await project.run("html");
    expect(before).toContain("<!DOCTYPE html>");
    await project.run("snapshot");
    await project.run("snapshot", "-i");
    expect(await project.run("html")).toBe(before);
  });

  it("is of one element when asked for, with its own tag when that is wanted", async () => {
    await project.run("goto", `${site.url}/article`);
    expect(await project.run("html", "h1")).toBe("Lamps");
    expect(await project.run("html", "h1", "--outer")).toBe("<h1>Lamps</h1>");
  });
});

describe("links", () => {
  it("lists each absolute address once", async () => {
    await project.run("goto", `${site.url}/article`);
    expect(await project.run("links")).toBe(`First → ${site.url}/a\nSecond → ${site.url}/b`);
    expect(await project.run("links", "main")).toBe("No links");
  });
});

describe("forms", () => {
  it("lists fields with labels, values and options, secrets masked", async () => {
    await project.run("goto", `${site.url}/form`);
    const { forms } = await project.json("forms");
    expect(forms).toEqual([
      expect.objectContaining({
        action: `${site.url}/order`,
        method: "post",
        name: "order",
        fields: expect.arrayContaining([
          expect.objectContaining({
            name: "email",
            type: "email",
            label: "Email",
            required: true,
            value: "ann@shop.example",
          }),
          expect.objectContaining({ name: "gift", checked: true }),
          expect.objectContaining({
            name: "size",
            value: "l",
            options: [
              { value: "s", label: "Small", selected: false },
              { value: "l", label: "Large", selected: true },
            ],
          }),
        ]),
      }),
    ]);
    expect(JSON.stringify(forms)).not.toContain("hunter2");
    expect(JSON.stringify(forms)).not.toContain("tok-in-a-text-field");
  });

  it("gives each field a ref that works", async () => {
    await project.run("goto", `${site.url}/form`);
    const { forms } = (await project.json("forms")) as { forms: { fields: { name: string; ref: string }[] }[] };
    const email = forms[0]!.fields.find(({ name }) => name === "email")!;
    await project.run("fill", email.ref, "bob@shop.example");
    expect(await project.run("value", "[name=email]")).toBe("bob@shop.example");
  });

  it("cuts what a page says in them without end", async () => {
    await project.run("goto", `${site.url}/endless-form`);
    const { forms } = await project.json("forms");
    const [{ fields: [field, text] = [] } = {}] = forms as { fields?: Record<string, unknown>[] }[];
    const options = field?.options as { value: string; label: string }[];
    expect(options).toHaveLength(1_000);
    expect(field).toMatchObject({ moreOptions: 500, name: expect.stringMatching(/^x{10000}…$/) });
    expect(options[0]).toMatchObject({ value: "v".repeat(1_000), label: "l".repeat(1_000) });
    expect(text?.value).toMatch(/^t{10000}…$/);
  });
});

describe("find", () => {
  it("shows the matching lines under their ancestors, with refs", async () => {
    await project.run("goto", `${site.url}/form`);
    const found = await project.run("find", "send");
    expect(found).toMatch(/@e\d+ \[button\] "Send"/);
    expect(await project.run("find", "/^no such line$/")).toBe("No match");
    expect(await project.run("find", "/^send$/i")).toBe(found);
    expect(await project.json("find", "/(email|size)/i")).toMatchObject({ matches: 2 });
  });

  it("shows lines around a match when asked to", async () => {
    await project.run("goto", `${site.url}/article`);
    const alone = await project.run("find", "/Second paragraph/");
    const around = await project.run("find", "/Second paragraph/", "--context", "2");
    expect(around.split("\n").length).toBeGreaterThan(alone.split("\n").length);
  });

  it("says when only a part of a page was searched, or of the matches is shown", async () => {
    site.set("/many", `${"<p>row".repeat(25_000)}<p>last`);
    await project.run("goto", `${site.url}/many`);
    expect(await project.run("find", "last")).toBe("No match among the first 20000 nodes of the page, which has more");
    const found = await project.run("find", "row", "--max-chars", "1000000");
    expect(found).toMatch(/… The first 200 of \d+ matches among the first 20000 nodes/);
  });

  it("lets nobody wait while a pattern that would never end is tried", async () => {
    await project.run("goto", `${site.url}/form`);
    await project.run(
      "js",
      "document.body.append(Object.assign(document.createElement('button'), {textContent: 'a'.repeat(60) + '!'}))",
    );
    let isTrying = true;
    const tried = project.refusal("find", "/(a+)+$/").finally(() => {
      isTrying = false;
    });
    let answers = 0;
    while (isTrying) {
      await project.json("status");
      answers++;
    }
    expect(await tried).toMatchObject({ kind: "invalid_params" });
    // A client takes some fifty milliseconds; while the daemon tries by itself there is one answer.
    expect(answers).toBeGreaterThan(2);
  });

  it("refuses a malformed pattern, and one that would never end", async () => {
    await project.run("goto", `${site.url}/form`);
    expect(await project.refusal("find", "/(/")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    await project.run(
      "js",
      "document.body.append(Object.assign(document.createElement('button'), {textContent: 'a'.repeat(60) + '!'}))",
    );
    expect(await project.refusal("find", "/(a+)+$/")).toMatchObject({
      kind: "invalid_params",
      message: "The pattern takes too long to match",
    });
    expect(await project.refusal("find", "lamp", "--context=many")).toMatchObject({ flag: "--context", exitCode: 2 });
  });
});
