/** Pages as Markdown, through the client. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const WORDS = "A lamp gives light, and light is what a lamp is for, as everybody who owns one knows. ";

const PAGE = `<!doctype html><title>Lamps</title>
<nav><a href="/a">Menu</a></nav>
<article><h1>Lamps</h1><p>A <b>bold</b> <em>word</em>, <del>gone</del>, <a href="/docs?x=1#y">docs</a>, <code>code</code>.<br>Next line</p>
<ul><li>one<li>two<ol><li>inner</ol></ul>
<table><tr><th>Color<th>Year</tr><tr><td>black | white<td>1949</tr></table>
<pre><code class="language-js">const a = 1;
  indented();</code></pre>
<blockquote>Quoted</blockquote><img src="/lamp.png" alt="A lamp"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Dot">
<p style="display:none">Hidden one</p><p style="visibility:hidden">Hidden two</p><p style="position:absolute;left:-9999px">Hidden three</p>
<p>1. not a list, *not* emphasis, &lt;b&gt;not markup&lt;/b&gt;</p>
<a href="javascript:alert(1)">Scripted</a>
<label><input type="checkbox" checked> Done</label> <input value="typed"><input type="password" value="hunter2">
<script>document.write("")</script><style>p { color: black }</style>
<div id="host"></div>${`<p>${WORDS}</p>`.repeat(12)}
</article><iframe src="/frame"></iframe><footer>Footer line</footer>
<script>host.attachShadow({ mode: "open" }).innerHTML = "<p>Shadow text</p>";</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAGE,
    "/frame": "<!doctype html><h2>In the frame</h2><browse-frame n='1'>Not a frame</browse-frame>",
    "/empty": "<!doctype html><title>Empty</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("markdown", () => {
  it("says what a person sees, with structure", async () => {
    await project.run("goto", site.url, "--wait", "load");
    const markdown = await project.run("markdown");
    for (const part of [
      "# Lamps",
      `A **bold** *word*, ~~gone~~, [docs](${site.url}/docs?x=1#y), \`code\`.  \nNext line`,
      "| Color | Year |",
      "black \\| white",
      "```js\nconst a = 1;\n  indented();\n```",
      "> Quoted",
      `![A lamp](${site.url}/lamp.png)`,
      "Dot",
      "Shadow text",
      "## In the frame",
      "Footer line",
      "Scripted",
      "<b>not markup",
    ]) {
      expect(markdown).toContain(part);
    }
    expect(markdown).toMatch(/^- +one\n- +two\n +1\. +inner$/m);
    expect(markdown).toContain("1\\. not a list, \\*not\\* emphasis");
    for (const absent of [
      "Hidden",
      "hunter2",
      "typed",
      "javascript:",
      "document.write",
      "color: black",
      "data:image",
    ]) {
      expect(markdown).not.toContain(absent);
    }
  });

  it("glues no neighbors together, and fences preformatted text that is not marked as code", async () => {
    site.set(
      "/glued",
      `<!doctype html><nav><a href="/a">Home</a><span><a href="/b">Orders</a></span></nav><p>See <a href="/c">this</a>.</p>
      <p><button>Delete</button><button>Ask</button><a href="/d" style="display:inline-block">Open</a></p><pre>let a = 1;<br>let *b* = 2;
\`\`\`</pre>`,
    );
    await project.run("goto", `${site.url}/glued`);
    const link = (name: string, path: string) => `[${name}](${site.url}/${path})`;
    expect(await project.run("markdown")).toBe(
      [
        `${link("Home", "a")} ${link("Orders", "b")}`,
        `See ${link("this", "c")}.`,
        `Delete Ask ${link("Open", "d")}`,
        "````\nlet a = 1;\nlet *b* = 2;\n```\n````",
      ].join("\n\n"),
    );
    expect((await project.run("text")).split("\n\n").slice(0, 2)).toEqual(["Home Orders", "See this."]);
  });

  it("reads one element", async () => {
    await project.run("goto", site.url);
    expect(await project.run("markdown", "blockquote")).toBe("> Quoted");
    expect(await project.refusal("markdown", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it("finds the main content, or says that there is none", async () => {
    await project.run("goto", site.url, "--wait", "load");
    const article = await project.run("markdown", "--article");
    expect(article).toContain("# Lamps");
    expect(article).toContain("A lamp gives light");
    expect(article).not.toContain("Menu");
    expect(article).not.toContain("Footer line");
    site.set(
      "/short",
      `<!doctype html><title>Short</title><nav><a href="/a">Menu</a></nav><main><h1>Lamp</h1><p>${WORDS}</p></main><p>Beside</p>`,
    );
    await project.run("goto", `${site.url}/short`);
    expect(await project.run("markdown", "--article")).toBe(`# Short\n\n## Lamp\n\n${WORDS.trim()}`);
    site.set(
      "/no-main",
      `<!doctype html><title>None</title><nav><a href="/a">Menu</a></nav><h2>Lamp</h2><p>${WORDS}</p>`,
    );
    await project.run("goto", `${site.url}/no-main`);
    expect(await project.run("markdown", "--article")).toBe(`# None\n\n## Lamp\n\n${WORDS.trim()}`);
    await project.run("goto", `${site.url}/empty`);
    expect(await project.refusal("markdown", "--article")).toMatchObject({ kind: "not_found" });
    expect(await project.run("markdown")).toBe("");
  });
});
