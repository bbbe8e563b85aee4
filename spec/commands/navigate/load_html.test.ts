import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": "<!doctype html><title>Home</title>", "/next": "<!doctype html><title>Next</title>" });
  project = new Project({ BROWSE_MAX_HTML_BYTES: "20000" });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(project.dir, name), content);
  return name;
}

async function js(code: string): Promise<unknown> {
  return (await project.json("js", code)).value;
}

describe("load-html", () => {
  it("shows a file, runs its scripts, and gives refs that can be pressed", async () => {
    const name = file(
      "draft.html",
      `<!doctype html><title>Draft</title><h1>Draft é</h1><button onclick="document.title = 'Pressed'">Go</button>`,
    );
    expect(await project.run("load-html", name)).toMatch(
      /^Loaded \d+ bytes → navigated to http:\/\/loaded-[0-9a-f]+\.localhost\/draft\.html$/,
    );
    expect(await project.run("text", "h1")).toBe("Draft é");
    await project.run("click", await project.ref('"Go"', "-i"));
    expect(await project.title()).toBe("Pressed");
  });

  it("takes HTML from standard input and as a flag, under its other names too", async () => {
    const { stdout } = await project.cli(["set-content", "-"], { stdin: "\n<p>From a pipe</p>" });
    expect(stdout).toContain("Loaded 19 bytes");
    expect(await project.run("text")).toBe("From a pipe");
    await project.run("setcontent", "--html", "<p>From a flag</p>");
    expect(await project.run("text")).toBe("From a flag");
  });

  it("reads XHTML as XML and SVG as a picture that can be read", async () => {
    const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p id="a"/><p id="b">after</p></body></html>`;
    await project.run("load-html", file("page.xhtml", xhtml));
    // As HTML the first paragraph would hold what follows it.
    expect(await js("[document.contentType, document.getElementById('a').childNodes.length]")).toEqual([
      "application/xhtml+xml",
      0,
    ]);
    await project.run(
      "load-html",
      file("mark.svg", `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">A mark</text></svg>`),
    );
    expect(await js("document.contentType")).toBe("image/svg+xml");
    expect(await project.run("text")).toContain("A mark");
    await project.run("load-html", file("bare.svg", `<svg><text y="20">Bare</text></svg>`));
    expect(await project.run("text")).toContain("Bare");
  });

  it("takes a document with a byte order mark", async () => {
    await project.run("load-html", file("marked.html", "\ufeff  <title>Marked</title>"));
    expect(await project.title()).toBe("Marked");
  });

  it("reads a document in another encoding as it declares itself", async () => {
    const latin1 = Buffer.from(`<!doctype html><meta charset="iso-8859-1"><p>caf\u00e9</p>`, "latin1");
    await project.run("load-html", file("latin.html", latin1));
    expect(await project.run("text")).toBe("café");
  });

  it("is kept through reload and back, until the next goto", async () => {
    await project.run("load-html", "--html", "<title>Kept</title><a href='about:blank'>Away</a>");
    await project.run("reload");
    expect(await project.title()).toBe("Kept");
    await project.run("click", "text=Away");
    await project.run("back");
    expect(await project.title()).toBe("Kept");
    await project.run("goto", `${site.url}/next`);
    expect(await project.refusal("back")).toMatchObject({
      kind: "navigation_failed",
      message: expect.stringContaining("no longer has it"),
      hint: expect.stringContaining("`browse load-html`"),
    });
  });

  it("shares no origin with the page before, nor with another document", async () => {
    await project.run("chain", `storage set secret kept | load-html --html "<p>One</p>"`);
    expect(await js("[localStorage.length, document.cookie]")).toEqual([0, ""]);
    await js("localStorage.setItem('one', '1')");
    await project.run("load-html", "--html", "<p>Two</p>");
    expect(await js("localStorage.length")).toBe(0);
    // Nothing else of its host is there, whatever listens on this machine.
    expect(await js("await fetch('/other').then(({ status }) => status)")).toBe(404);
  });

  it("makes refs of the page before it stale", async () => {
    await project.run("load-html", "--html", "<button>Old</button>");
    const ref = await project.ref('"Old"', "-i");
    await project.run("load-html", "--html", "<button>New</button>");
    expect(await project.refusal("click", ref)).toMatchObject({ kind: "stale_ref" });
  });

  it("waits as far as it is asked to", async () => {
    site.set("/slow.js", (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" })
        .end("document.title = 'Loaded'"),
    );
    await project.run(
      "load-html",
      "--wait",
      "load",
      "--html",
      `<title>First</title><script async src="${site.url}/slow.js"></script>`,
    );
    expect(await project.title()).toBe("Loaded");
  });

  it.each([
    ["plain text", "notes.html", "Just some words", '"Just some words"'],
    ["a comparison", "less.html", "1 < 2", '"1 < 2"'],
    ["JSON", "data.html", '{"a": 1}', "a"],
    ["a picture", "picture.html", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), "PNG"],
    ["an archive that begins like a tag", "odd.html", Buffer.from("<p>\0\0"), "<p>"],
    ["nothing", "empty.html", "", "it is empty"],
  ])("refuses %s, and shows how it starts", async (_what, name, content, shown) => {
    const refusal = await project.refusal("load-html", file(name, content));
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(shown);
    expect(await project.title()).toBe("Home");
  });

  it("refuses other kinds of files, files elsewhere, none, and two sources", async () => {
    expect(await project.refusal("load-html", file("page.txt", "<p>"))).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("load-html", "/etc/page.html")).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    expect(await project.refusal("load-html", "missing.html")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("load-html")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("load-html", file("a.html", "<p>"), "--html", "<p>")).toMatchObject({ exitCode: 2 });
  });

  it("refuses what is over the cap, as a file and from a pipe", async () => {
    const large = `<p>${"x".repeat(20_000)}`;
    const refusal = await project.refusal("load-html", file("large.html", large));
    expect(refusal).toMatchObject({ kind: "too_large", maxBytes: 20_000, bytes: 20_003 });
    const piped = await project.cli(["load-html", "-"], { stdin: large });
    expect(piped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("20003 bytes") });
    expect(await project.title()).toBe("Home");
  });

  it("is shown by a daemon with a larger cap, as the refusal says", async () => {
    await using small = new Project({ BROWSE_MAX_HTML_BYTES: "10" });
    const { hint } = await small.refusal("load-html", "--html", "<title>Longer</title>");
    expect(hint).toMatch(/set BROWSE_MAX_HTML_BYTES to more bytes, then run `browse stop`/);
    await small.run("stop");
    const env = { BROWSE_MAX_HTML_BYTES: "100" };
    const answer = await small.cli(["load-html", "--html", "<title>Longer</title>"], { env });
    expect(answer).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Loaded 21 bytes") });
  });

  it("is not written into the journal", async () => {
    await project.run("load-html", "--html", "<p>private draft</p>");
    expect(await project.journal()).not.toContain("private draft");
  });
});
