import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const BAD = `<!doctype html><html lang="en"><title>Bad</title>
<style>body { background: rgb(255, 255, 255) } #pale { color: rgb(200, 200, 200) }</style>
<script>document.write("<link rel=stylesheet href=//localhost:" + location.port + "/other.css>")</script>
<main><h1>Lamps</h1><img id="lamp" src="/lamp.png"><p id="pale">Pale text</p><form><input id="name" value="typed"></form></main>
<div style="height: 3000px"></div><p>Far below</p>
<iframe title="Inner" src="/inner"></iframe>
<x-card></x-card>
<script>
  document.querySelector("x-card").attachShadow({ mode: "open" }).innerHTML = "<img class=inside src=/lamp.png>";
  seen = [];
  new MutationObserver((all) => seen.push(...all.map(({ type }) => type))).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  for (const name of ["message", "scroll", "focus", "blur"]) addEventListener(name, () => seen.push(name), true);
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/bad": BAD,
    "/inner": '<!doctype html><html lang="en"><title>Inner</title><img id="deep" src="/lamp.png"><button></button>',
    "/good": '<!doctype html><html lang="en"><title>Good</title><main><h1>Lamps</h1><p>Two of them</p></main>',
    "/strict": (_request, response) =>
      response
        .writeHead(200, {
          "content-type": "text/html",
          "content-security-policy": "default-src 'none'; sandbox allow-scripts",
        })
        .end('<!doctype html><html lang="en"><title>Strict</title><main><h1>Strict</h1><img src="/lamp.png"></main>'),
    "/lamp.png": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(),
    "/other.css": (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/css" })
        .end("@media (orientation: portrait) { p { color: red } }"),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Rule {
  id: string;
  impact: string;
  tags: string[];
  elements: { selector: string; frames?: string[]; html: string; summary: string }[];
}

interface Audit {
  violations: Rule[];
  incomplete: Rule[];
  passes: string[];
}

async function audit(...argv: string[]): Promise<Audit> {
  return (await project.json("a11y", ...argv)) as unknown as Audit;
}

const elementsOf = ({ violations }: Audit, rule: string) =>
  violations
    .find(({ id }) => id === rule)
    ?.elements.map(({ selector, frames = [] }) => [...frames, selector].join(" > "))
    .sort();

describe("a11y", () => {
  it("finds what is wrong, in frames and shadow trees too, the worst first", async () => {
    await project.run("goto", `${site.url}/bad`);
    await project.run("wait", "--load");
    const found = await audit();
    expect(elementsOf(found, "image-alt")).toEqual(["#lamp", "iframe > #deep", "x-card >>> .inside"]);
    expect(elementsOf(found, "color-contrast")).toEqual(["#pale"]);
    expect(elementsOf(found, "label")).toEqual(["#name"]);
    expect(elementsOf(found, "button-name")).toEqual(["iframe > button"]);
    expect(JSON.stringify(found)).not.toContain("typed");
    const ranks = found.violations.map(({ impact }) => ["critical", "serious", "moderate", "minor"].indexOf(impact));
    expect(ranks).toEqual(ranks.toSorted());
    expect(found.passes).toContain("html-has-lang");
    expect(found.passes.filter((id) => found.violations.some((rule) => rule.id === id))).toEqual([]);
    const shown = await project.run("a11y");
    expect(shown).toMatch(/^\d+ rules violated, \d+ passed/);
    expect(shown).toContain("\n  #deep in iframe\n");
    const [, ref = ""] = /\n {2}(@e\d+) #lamp\n/.exec(shown) ?? [];
    expect(await project.run("attrs", ref)).toContain('id="lamp"');
    expect(shown).toContain("critical image-alt: Images must have alternative text (https://");
  });

  it("leaves the page untouched, and is not seen by it", async () => {
    await project.run("goto", `${site.url}/bad`);
    await project.run("wait", "--load");
    await project.run(
      "js",
      "document.getElementById('name').focus(); scrollTo(0, 500); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { seen.length = 0; done(); })))",
    );
    const html = await project.run("html");
    const before = site.requests.length;
    await audit();
    expect(await project.run("js", "JSON.stringify([seen, scrollY, document.activeElement.id, typeof axe])")).toBe(
      '[[],500,"name","undefined"]',
    );
    expect(await project.run("html")).toBe(html);
    expect(site.requests.length).toBe(before);
    expect(await project.run("console")).toBe("The console is empty");
  });

  it("can be narrowed to an element, by selector or ref, and to rules", async () => {
    await project.run("goto", `${site.url}/bad`);
    await project.run("wait", "--load");
    expect((await audit("form")).violations.map(({ id }) => id)).toEqual(["label"]);
    const inner = await audit(await project.ref("[button]", "-i"));
    expect(inner.violations.map(({ id }) => id)).toEqual(["button-name"]);
    const tagged = await audit("--tags", "wcag2aa,cat.color");
    expect(tagged.violations.map(({ id }) => id)).toEqual(["color-contrast"]);
  });

  it("is content with a page that is", async () => {
    await project.run("goto", `${site.url}/good`);
    expect((await audit()).violations).toEqual([]);
    expect(await project.run("a11y")).toMatch(/^0 rules violated, \d+ passed/);
  });

  it("works whatever the page's policy allows", async () => {
    await project.run("goto", `${site.url}/strict`);
    expect(elementsOf(await audit(), "image-alt")).toEqual(["img"]);
  });

  it("refuses what it does not know", async () => {
    expect(await project.refusal("a11y", "--tags", "wcag9")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: 'No accessibility rule has the tag "wcag9"',
      hint: expect.stringContaining("wcag2aa"),
    });
    expect(await project.refusal("a11y", "--tags", "a,,b")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("a11y", "#nowhere")).toMatchObject({ kind: "not_found" });
  });
});
