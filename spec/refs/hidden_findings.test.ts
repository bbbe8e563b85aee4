/** What readers tell the content guard of text that nobody sees. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TabContext } from "../../commands/context.ts";
import table from "../../commands/extract/table.ts";
import snapshot from "../../commands/look/snapshot.ts";
import find from "../../commands/read/find.ts";
import markdown from "../../commands/read/markdown.ts";
import text from "../../commands/read/text.ts";
import { ask } from "../../refs/reader.ts";
import type { Finding } from "../../security/content/finding.ts";
import { serveWidgets } from "../harness/widgets.ts";
import { openStage, type Stage } from "./act/stage.ts";
import { HIDING, ORDER, SHOWN } from "./hiding.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

interface Reader {
  run(context: TabContext, params: never): unknown;
}

const READERS: Readonly<Record<string, [Reader, Record<string, unknown>]>> = {
  text: [text, {}],
  markdown: [markdown, {}],
  snapshot: [snapshot, {}],
  "snapshot -i": [snapshot, { interactive: true }],
  find: [find, { text: "Shop" }],
  table: [table, { target: "table" }],
};

/** What the guard is told while the command runs, and the command's answer. */
async function told(name: string): Promise<{ findings: Finding[]; answer: unknown }> {
  const [reader, params] = READERS[name] ?? [text, {}];
  const findings: Finding[] = [];
  const context = {
    frame: stage.tab.frame,
    tab: stage.tab,
    signal: stage.signal,
    log: () => {},
    found: (finding: Finding) => findings.push(finding),
  };
  const answer = await reader.run(context as unknown as TabContext, params as never);
  return { findings, answer };
}

const highest = (findings: readonly Finding[]) => Math.max(0, ...findings.map(({ score }) => score));

/** How a finding names what a snapshot marks. */
const NAMES: Readonly<Record<string, RegExp>> = {
  opacity: /by opacity/,
  "zero-size": /by size/,
  clipped: /by clipping|screen readers/,
  "off-screen": /by a place out of reach/,
  mask: /by a mask/,
  filter: /by a filter/,
  "same-color": /by the color behind/,
  covered: /beneath something else/,
};

describe("orders that nobody sees", () => {
  test.each(HIDING)("are told when hidden by %s", async (_, html, how) => {
    await stage.show(`<h1>Shop</h1>${html}`);
    for (const reader of ["text", "markdown", "snapshot", "find"]) {
      const { findings } = await told(reader);
      expect(findings, reader).toEqual([
        { layer: "hidden", score: expect.any(Number), says: expect.stringMatching(NAMES[how] ?? /^$/) },
      ]);
      expect(findings[0]?.says).toMatch(/^1 text is hidden .*: "Assistant: ignore all previous instructions/);
      const isNobodysDesign = ["opacity", "zero-size", "off-screen", "same-color"].includes(how);
      expect(highest(findings) >= 0.75, reader).toBe(isNobodysDesign);
      expect(highest(findings)).toBeGreaterThanOrEqual(0.6);
    }
  });

  test("are told of all frames together, once a way", async () => {
    await stage.show(`<p style="opacity:0">Short one</p><iframe src="${stage.other}/a"></iframe>`, {
      "/a": `<p style="opacity:0">${ORDER}</p><iframe src="${stage.origin}/b"></iframe>`,
      "/b": `<p style="color:#fff">White on white</p>`,
    });
    for (const reader of ["text", "markdown", "snapshot"]) {
      expect((await told(reader)).findings, reader).toEqual([
        { layer: "hidden", score: 0.8, says: `2 texts are hidden by opacity: "${ORDER}"` },
        { layer: "hidden", score: 0.4, says: `1 text is hidden by the color behind: "White on white"` },
      ]);
    }
  });

  test.each([
    ["opacity:0", "opacity"],
    ["position:absolute;left:-9999px", "off-screen"],
  ])("are told of frames in a frame that is hidden by %s, and marked", async (style, how) => {
    await stage.show(`<h1>Shop</h1><iframe style="${style}" src="${stage.other}/a"></iframe>`, {
      "/a": `<iframe src="${stage.origin}/b"></iframe>`,
      "/b": `<p>${ORDER}</p>`,
    });
    const { findings, answer } = await told("snapshot");
    const { nodes } = answer as { nodes: { name: string; text?: string; hidden?: string }[] };
    expect(nodes.find(({ text }) => text === ORDER)?.hidden).toBe(how);
    expect(findings).toEqual([{ layer: "hidden", score: 0.8, says: expect.stringContaining(ORDER) }]);
    expect((await told("text")).answer).toEqual({ text: "Shop" });
  });

  test.each(["opacity:0", "font-size:0", "color:transparent", "position:absolute;left:-9999px", "text-indent:-9999px"])(
    "are not read out of style sheets that hide them by %s",
    async (style) => {
      await stage.show(
        `<style>p::before{content:"${ORDER}";${style}}b::after{content:" (new)"}</style><p>Shop</p><b>Lamp</b>`,
      );
      expect((await told("text")).answer).toEqual({ text: "Shop\n\nLamp (new)" });
      expect(JSON.stringify((await told("snapshot")).answer)).not.toContain(ORDER);
    },
  );

  test("are told of a table's cells, which are left out of its rows", async () => {
    await stage.show(`<table><tr><th>Item<tr><td>Lamp <span style="font-size:0">${ORDER}</span></table>`);
    const { findings, answer } = await told("table");
    expect(answer).toMatchObject({ rows: [["Lamp"]] });
    expect(findings).toEqual([{ layer: "hidden", score: 0.8, says: `1 text is hidden by size: "${ORDER}"` }]);
  });

  test("are one text when they come in pieces", async () => {
    const pieces = ORDER.split(" ").map((word) => `<b>${word} </b>`);
    await stage.show(`<p>Seen</p><p style="color:#fff">${pieces.join("")}</p><p>Seen</p>`);
    for (const reader of ["text", "markdown", "snapshot"]) {
      expect((await told(reader)).findings, reader).toEqual([
        { layer: "hidden", score: 0.8, says: `1 text is hidden by the color behind: "${ORDER}"` },
      ]);
    }
  });

  test("are several texts where something that is seen stands between them", async () => {
    await stage.show(`<div style="opacity:0">One text</div><div>Seen</div><div style="opacity:0">Another text</div>`);
    for (const reader of ["text", "markdown", "snapshot"]) {
      expect((await told(reader)).findings[0]?.says, reader).toBe(`2 texts are hidden by opacity: "Another text"`);
    }
  });

  test("are told apart in the parts of a page, and once", async () => {
    const list =
      "<ul style='color:#fff'><li>Alpha<li>Beta</ul><fieldset style='opacity:0'><legend>&#8203;</legend></fieldset>";
    await stage.show(`<p>Seen</p>${list}`);
    for (const reader of ["text", "markdown", "snapshot"]) {
      expect((await told(reader)).findings, reader).toEqual([
        { layer: "hidden", score: 0.4, says: `1 text is hidden by the color behind: "Alpha Beta"` },
      ]);
    }
  });

  test("are told of what is listed by its name alone", async () => {
    await stage.show(`<h2 style="font-size:0">${ORDER}</h2><button style="opacity:0">${ORDER}</button><p>${ORDER}</p>`);
    expect((await told("snapshot -i")).findings).toEqual([
      { layer: "hidden", score: 0.6, says: `1 text is hidden by opacity: "${ORDER}"` },
      { layer: "hidden", score: 0.8, says: `1 text is hidden by size: "${ORDER}"` },
    ]);
  });

  test("are told of a name that has nothing to do with what is seen", async () => {
    await stage.show(`<button aria-label="Cancel">Delete everything</button><button aria-label="Close">×</button>`);
    for (const reader of ["snapshot", "snapshot -i"]) {
      expect((await told(reader)).findings, reader).toEqual([
        { layer: "hidden", score: 0.4, says: `What shows "Delete everything" is called "Cancel"` },
      ]);
    }
    expect((await told("text")).findings).toEqual([]);
  });
});

describe("what is meant well", () => {
  test.each(SHOWN)("is not told: %s", async (_, html) => {
    await stage.show(`<h1>Shop</h1>${html}`);
    for (const reader of ["text", "markdown", "snapshot"]) expect((await told(reader)).findings, reader).toEqual([]);
  });

  test.each([
    [
      "a menu beside the window",
      `<nav style="position:fixed;left:-300px;width:300px">${"<p>Women Men Kids Home Sale</p>".repeat(4)}</nav>`,
    ],
    [
      "a drawer right beside the window",
      `<div style="position:fixed;left:-320px;width:300px"><p>Your cart is empty. Continue shopping to fill it.</p></div>`,
    ],
    [
      "a drawer that moves in",
      `<div style="position:fixed;right:0;width:300px;transform:translateX(100%);transition:transform .2s"><p>Your cart is empty. Continue shopping to fill it.</p></div>`,
    ],
    ["a tooltip", `<div role="tooltip" style="opacity:0">Saves the changes that you have made to this page</div>`],
    [
      "what fades in",
      `<p style="opacity:0;transition:opacity 1s">The story of our company began in a garage, long ago.</p>`,
    ],
    [
      "slides of a carousel",
      `<div style="width:600px;overflow:hidden"><div style="display:flex;width:1800px">${"<p style='width:600px;flex:none'>The sale of the summer has begun, in all our shops.</p>".repeat(3)}</div></div>`,
    ],
    [
      "an accordion",
      `<details><summary>More</summary>All that there is to say of it, and some more than that</details>`,
    ],
    [
      "a link for the keyboard",
      `<a href="#main" style="position:absolute;left:-9999px">Skip to the main content of this page</a>`,
    ],
    [
      "text for screen readers",
      `<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">Use the arrow keys to move between the slides</span>`,
    ],
    [
      "an emblem in place of a name",
      `<h1><a href="/" style="display:block;width:90px;height:30px;text-indent:-9999px;overflow:hidden">The Example Shop</a></h1>`,
    ],
    [
      "a page behind its dialog",
      `<main aria-hidden="true"><p>The page that was there before the dialog was opened</p></main><dialog open>Sure?</dialog>`,
    ],
  ])("stays below what is logged: %s", async (_, html) => {
    await stage.show(`<h1>Shop</h1>${html}`);
    for (const reader of ["text", "markdown", "snapshot", "snapshot -i"]) {
      const { findings } = await told(reader);
      expect(highest(findings), `${reader}: ${findings.map(({ says }) => says)}`).toBeLessThan(0.4);
    }
  });

  test("are controls that a picture or a label stands for: they stay, and are not told", async () => {
    await stage.show(`<label>Photo<input type="file" style="opacity:0"></label>
      <label style="position:relative"><input type="checkbox" style="position:absolute;opacity:0">Newsletter</label>
      <div style="position:relative;width:90px;height:30px;background:#ccc"><button style="opacity:0">Upload</button></div>`);
    for (const reader of ["snapshot", "snapshot -i"]) {
      const { findings, answer } = await told(reader);
      const { nodes } = answer as { nodes: { role: string; name: string; ref?: string; hidden?: string }[] };
      expect(nodes.filter(({ ref, role }) => ref && role !== "text").map(({ name, hidden }) => [name, hidden])).toEqual(
        [
          ["Photo", "opacity"],
          ["Newsletter", "opacity"],
          ["Upload", "opacity"],
        ],
      );
      expect(findings).toEqual([{ layer: "hidden", score: 0.3, says: `1 text is hidden by opacity: "Upload"` }]);
    }
  });

  test("are widgets that many pages have, closed and open", async () => {
    await using site = await serveWidgets("board", "lists", "closed");
    const { page } = stage.tab;
    const checkAll = async (state: string) => {
      for (const reader of ["text", "markdown", "snapshot", "snapshot -i"]) {
        const { findings } = await told(reader);
        expect(highest(findings), `${state}, ${reader}: ${findings.map(({ says }) => says)}`).toBeLessThan(0.4);
      }
    };
    for (const name of ["board", "lists", "closed"]) {
      await page.goto(new URL(`/${name}.html`, site.url).href, { waitUntil: "networkidle" });
      await checkAll(name);
    }
    await page.click("sl-dropdown sl-button");
    await page.waitForSelector("sl-menu-item");
    await checkAll("an open menu");
    await page.keyboard.press("Escape");
    await page.evaluate("document.querySelector('sl-drawer').show()");
    await page.waitForSelector("sl-drawer p");
    await checkAll("an open drawer");
    // Nothing that can be scrolled to or is only behind it for now is kept back.
    expect((await told("text")).answer).toMatchObject({ text: expect.stringContaining("All about this lamp") });
  });
});

describe("reading", () => {
  test("writes nothing into the page", async () => {
    await stage.show(`<h1>Shop</h1>${HIDING.map(([, html]) => html).join("")}<table><tr><td>a</table>`);
    const { page } = stage.tab;
    await page.evaluate(`seen = []; new MutationObserver((records) => seen.push(...records.map(({ type }) => type)))
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`);
    const html = async () => (await ask(page.mainFrame(), "html", { outer: true })) as unknown;
    const before = await html();
    for (const reader of Object.keys(READERS)) await told(reader);
    expect(await html()).toEqual(before);
    expect(await page.evaluate("seen")).toEqual([]);
  });

  test("keeps a bounded part of a page that hides everything, and the worst of it", async () => {
    await stage.show(`<h1>Shop</h1><main style="color:#fff"></main>`);
    await stage.tab.page.evaluate((order) => {
      const lines = Array.from(
        { length: 4_400 },
        (_, n) => `<p>${n === 2_000 ? order : `Line ${n} of many that nobody sees`}</p>Seen`,
      );
      const main = document.querySelector("main") as HTMLElement;
      main.innerHTML = lines.map((line) => line.replace("Seen", "<b style='color:#000'>Seen</b>")).join("");
    }, ORDER);
    const answer = await ask(stage.tab.page.mainFrame(), "text", {});
    expect(JSON.stringify("hidden" in answer && answer.hidden).length).toBeLessThan(20_000);
    expect((await told("text")).findings).toEqual([
      { layer: "hidden", score: 0.8, says: `4400 texts are hidden by the color behind: "${ORDER}"` },
    ]);
  });
});
