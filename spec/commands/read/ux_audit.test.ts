import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { show } from "./shown.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/red.png": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(pngOf(40, 30)),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("ux-audit", () => {
  it("tells whose site it is, how one gets around, what one can do and read", async () => {
    const words = "word ".repeat(12);
    await show(
      project,
      site,
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
    await show(project, site, `<!doctype html>${"<h2>Heading</h2>".repeat(60)}${"<button>Press</button>".repeat(210)}`);
    const { headings, interactive } = (await project.json("ux-audit")) as Record<
      string,
      { items: unknown[]; total: number }
    >;
    expect([headings?.items.length, headings?.total]).toEqual([50, 60]);
    expect([interactive?.items.length, interactive?.total]).toEqual([200, 210]);
  });

  it("finds nothing on a page that has nothing", async () => {
    await show(project, site, "<!doctype html><title>Bare</title>");
    expect(await project.json("ux-audit")).toMatchObject({
      home: null,
      logo: null,
      search: null,
      headings: { total: 0 },
    });
  });
});
