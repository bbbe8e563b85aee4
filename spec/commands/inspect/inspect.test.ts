import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const SHEET = `@layer base, theme;
@layer theme { .card { color: rgb(1, 0, 0); padding: 1px 2px !important } }
@layer base { .card { color: rgb(2, 0, 0) !important; letter-spacing: 3px } }
@media (min-width: 100px) {
  .card { color: rgb(3, 0, 0); border: 4px solid rgb(5, 5, 5) }
}
@media (max-width: 100px) { .card { word-spacing: 99px } }
main .card, button { outline-offset: 6px; wobble: 3; border-top-width: 7px }
.card { outline-offset: 8px }
.card { outline-offset: 9px }
button { outline-offset: 10px }
.card::before { content: "»"; color: rgb(11, 0, 0) }
main { font-size: 30px; padding: 20px; --accent: teal; color: rgb(12, 0, 0) }
html { font-size: 13px; cursor: help }`;

const PAGE = `<!doctype html><title>Cards</title><link rel="stylesheet" href="/styles/shop.css">
<style>
  .card { text-indent: 14px }
</style>
<main id="top" class="wide page"><button class="card" id="buy" style="word-spacing: 15px; text-indent: 16px">Buy</button></main>
<p id="hidden" hidden>Hidden</p>
<iframe srcdoc="<style>p { color: rgb(20, 0, 0) }</style><p id=deep>In a frame</p>"></iframe>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAGE,
    "/plain": "<!doctype html><title>Plain</title><p>Plain</p>",
    "/styles/shop.css": (_request, response) =>
      response.writeHead(200, { "content-type": "text/css; charset=utf-8" }).end(SHEET),
  });
  project = await SharedProject.open();
  await project.run("goto", site.url);
  await project.run("wait", "--load");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Rule {
  kind: string;
  origin: string;
  selector: string;
  specificity?: number[];
  source?: string;
  conditions: string[];
  declarations: { name: string; value: string; important?: true; state: string }[];
}

interface Inspection {
  box: Record<string, unknown>;
  rules: Rule[];
  inherited: { from: string; rules: Rule[] }[];
  pseudoElements: { name: string; rules: Rule[] }[];
  applied: Record<string, { value: string; from: string }>;
  computed: Record<string, string>;
}

async function inspect(...argv: string[]): Promise<Inspection> {
  return (await project.json("inspect", ...argv)) as unknown as Inspection;
}

const statesOf = ({ declarations }: Rule) => declarations.map(({ name, state }) => `${name} ${state}`);

describe("inspect", () => {
  let buy: Inspection;

  beforeAll(async () => {
    buy = await inspect("#buy");
  });

  it("lists the rules in the order of the cascade, the strongest first", () => {
    expect(buy.rules.map(({ selector, conditions }) => [selector, ...conditions].join(" "))).toEqual([
      "",
      "main .card, button",
      ".card",
      ".card",
      ".card",
      ".card @media (min-width: 100px)",
      "button",
      ".card @layer theme",
      ".card @layer base",
    ]);
    expect(buy.rules[0]).toMatchObject({ kind: "style-attribute", origin: "author" });
    expect(buy.rules.every(({ origin }) => origin === "author")).toBe(true);
  });

  it("tells the specificity of what matches, and the file and line it is written in", () => {
    expect(buy.rules.slice(1).map(({ specificity }) => specificity)).toEqual([
      [0, 1, 1],
      [0, 1, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    expect(buy.rules.slice(1).map(({ source }) => source)).toEqual([
      `${site.url}/styles/shop.css:8`,
      `${site.url}/:3`,
      `${site.url}/styles/shop.css:10`,
      `${site.url}/styles/shop.css:9`,
      `${site.url}/styles/shop.css:5`,
      `${site.url}/styles/shop.css:11`,
      `${site.url}/styles/shop.css:2`,
      `${site.url}/styles/shop.css:3`,
    ]);
  });

  it("marks what is overridden, wholly or in part, and what the browser does not know", () => {
    const [attribute, outer, embedded, , , media, , theme, base] = buy.rules as Required<Inspection>["rules"];
    expect(statesOf(attribute!)).toEqual(["word-spacing applies", "text-indent applies"]);
    expect(statesOf(outer!)).toEqual(["outline-offset applies", "wobble invalid", "border-top-width applies"]);
    expect(statesOf(embedded!)).toEqual(["text-indent overridden"]);
    expect(statesOf(media!)).toEqual(["color overridden", "border partly"]);
    expect(statesOf(theme!)).toEqual(["color overridden", "padding applies"]);
    expect(statesOf(base!)).toEqual(["color applies", "letter-spacing applies"]);
  });

  it("names for each property the declaration that the computed value comes from", () => {
    const expected = {
      color: ["rgb(2, 0, 0)", ".card (shop.css:3)"],
      "padding-left": ["2px", ".card (shop.css:2)"],
      "letter-spacing": ["3px", ".card (shop.css:3)"],
      "border-left-width": ["4px", ".card (shop.css:5)"],
      "border-top-width": ["7px", "main .card, button (shop.css:8)"],
      "outline-offset": ["6px", "main .card, button (shop.css:8)"],
      "word-spacing": ["15px", "style attribute"],
      "text-indent": ["16px", "style attribute"],
    };
    for (const [property, [value, from]] of Object.entries(expected)) {
      expect([property, buy.computed[property]]).toEqual([property, value]);
      expect(buy.applied[property]).toEqual({ value, from: from!.replace("shop.css", `${site.url}/styles/shop.css`) });
    }
  });

  it("leaves out rules whose media do not hold", () => {
    expect(JSON.stringify(buy)).not.toContain("99px");
  });

  it("shows what comes down from ancestors, the nearest first", () => {
    expect(buy.inherited.map(({ from }) => from)).toEqual(["main#top.wide.page", "html"]);
    const [main, html] = buy.inherited;
    // The browser's own rule for buttons sets a font size; custom properties and cursors come down.
    expect(main!.rules.flatMap(statesOf)).toEqual(["font-size overridden", "--accent applies", "color overridden"]);
    expect(html!.rules.flatMap(statesOf)).toEqual(["font-size overridden", "cursor overridden"]);
    expect(buy.applied["--accent"]).toEqual({
      value: "teal",
      from: `main (${site.url}/styles/shop.css:13), inherited from main#top.wide.page`,
    });
  });

  it("shows the rules of pseudo-elements", () => {
    expect(buy.pseudoElements).toMatchObject([
      { name: "before", rules: [{ selector: ".card::before", specificity: [0, 1, 1] }] },
    ]);
  });

  it("measures the box", async () => {
    const placed = await project.json("box", "#buy");
    expect(buy.box).toMatchObject({
      ...placed,
      border: { top: 7, right: 4, bottom: 4, left: 4 },
      padding: { top: 1, right: 2, bottom: 1, left: 2 },
      margin: { top: 0, right: 0, bottom: 0, left: 0 },
    });
  });

  it("adds the browser's own rules and all computed values with --all", async () => {
    const all = await inspect("#buy", "--all");
    expect(all.rules.at(-1)).toMatchObject({ origin: "user-agent" });
    expect(Object.keys(all.computed).length).toBeGreaterThan(300);
    expect(Object.keys(buy.computed).length).toBeLessThan(60);
  });

  it("reads well", async () => {
    const shown = await project.run("inspect", "#buy");
    expect(shown).toContain('[button] "»Buy"\nBox ');
    expect(shown).toContain("\nstyle attribute\n  word-spacing: 15px\n");
    expect(shown).toContain("\n.card  (0,1,0)  shop.css:3  @layer base\n  color: rgb(2, 0, 0) !important\n");
    expect(shown).toContain(
      "\n.card  (0,1,0)  shop.css:5  @media (min-width: 100px)\n  color: rgb(3, 0, 0)  [overridden]\n",
    );
    expect(shown).toContain("\n::before\n.card::before  (0,1,1)  shop.css:12\n");
    expect(shown).toContain("\nInherited from main#top.wide.page\n");
    expect(await project.run("inspect", "#hidden")).toContain("It has no box");
    await project.run("goto", `${site.url}/plain`);
    expect(await project.run("inspect", "p")).toContain("No rules of the page match it");
    await project.run("back");
  });

  it("takes refs, in frames too", async () => {
    const deep = await inspect(await project.ref("In a frame"));
    expect(deep.applied.color).toMatchObject({ value: "rgb(20, 0, 0)" });
    expect(deep.box).toMatchObject(await project.json("box", await project.ref("In a frame")));
  });

  it("means the element inspected last when none is named", async () => {
    await project.run("newtab", site.url);
    expect(await project.refusal("inspect")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: "Missing <target>: nothing has been inspected in this tab yet",
    });
    await inspect("#top");
    expect(await inspect()).toMatchObject({ element: { role: "main" } });
    await project.run("reload");
    expect(await project.refusal("inspect")).toMatchObject({ kind: "stale_ref" });
    await project.run("closetab");
  });

  it("leaves the page as it is", async () => {
    await project.run(
      "js",
      "seen = 0; new MutationObserver((all) => { seen += all.length }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }); 1",
    );
    await inspect("#buy", "--all");
    expect(await project.run("js", "seen")).toBe("0");
  });

  it("refuses what it cannot mean", async () => {
    expect(await project.refusal("inspect", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("inspect", "#buy", "--history")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("inspect", "--all=maybe", "#buy")).toMatchObject({ flag: "--all", exitCode: 2 });
  });
});
