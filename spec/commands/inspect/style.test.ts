import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Cards</title><main id="top">
      <button id="buy" style="word-spacing: 15px; text-indent: 16px">Buy</button></main>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("style", () => {
  const attributes = async (selector: string) => (await project.json("attrs", selector)).attributes;

  beforeEach(async () => {
    await project.run("newtab", site.url);
  });

  it("sets one property and says what it was", async () => {
    expect(await project.run("style", "#buy", "word-spacing", "1px")).toMatch(
      /^1 @e\d+ \[button\] "Buy" word-spacing: 15px → 1px/,
    );
    expect(await project.run("css", "#buy", "word-spacing")).toBe("1px");
    expect(await project.json("style", "#buy", "color", "rgb(7, 7, 7)", "!important")).toMatchObject({
      changed: { id: 2, property: "color", before: "", after: "rgb(7, 7, 7) !important" },
      effect: { changed: 1 },
    });
    expect(await project.run("css", "#buy", "color")).toBe("rgb(7, 7, 7)");
    await project.run("style", "#buy", "color", "");
    expect(await attributes("#buy")).toMatchObject({ style: "word-spacing: 1px; text-indent: 16px;" });
    await project.run("style", "#top", "--", "--accent", "red");
    expect(await attributes("#top")).toMatchObject({ style: "--accent: red;" });
  });

  it("takes changes back to the letter, value, priority and attribute", async () => {
    const raw = "word-spacing:1px!important;;  margin : 2px";
    await project.run("js", `buy.setAttribute('style', ${JSON.stringify(raw)})`);
    await project.run("style", "#buy", "word-spacing", "9px");
    await project.run("style", "#buy", "margin-left", "9px");
    await project.run("style", "#top", "color", "red");
    expect((await project.run("inspect", "--history")).split("\n")).toEqual([
      expect.stringMatching(/^1 @e\d+ \[button\] "Buy" word-spacing: 1px !important → 9px$/),
      expect.stringMatching(/^2 .* margin-left: 2px → 9px$/),
      expect.stringMatching(/^3 .* color: \(none\) → red$/),
    ]);
    expect(await project.run("style", "--undo")).toContain("Undid 3:");
    expect(await attributes("#top")).not.toHaveProperty("style");
    const undone = await project.json("style", "--undo", "2");
    expect(undone.undone).toMatchObject([
      { id: 2, before: "2px" },
      { id: 1, before: "1px !important" },
    ]);
    expect(await attributes("#buy")).toMatchObject({ style: raw });
    expect(await project.run("inspect", "--history")).toBe("`style` has changed nothing in this tab");
  });

  it("takes only its own changes back when the page has made others", async () => {
    await project.run("js", "buy.style.cssText = 'margin: 1px 2px !important; color: red'");
    await project.run("style", "#buy", "margin", "9px");
    await project.run("js", "buy.style.setProperty('outline', '3px solid red')");
    await project.run("style", "--undo");
    expect(
      await project.run(
        "js",
        "[buy.style.marginLeft, buy.style.getPropertyPriority('margin-top'), buy.style.outlineWidth].join()",
      ),
    ).toBe("2px,important,3px");
    await project.run("style", "#top", "color", "red");
    await project.run("js", "document.querySelector('main').style.removeProperty('color')");
    await project.run("style", "--undo");
    expect(await attributes("#top")).not.toHaveProperty("style");
  });

  it("works and is taken back where the page allows no style attributes", async () => {
    site.set("/strict", (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "content-security-policy": "style-src 'none'" })
        .end('<!doctype html><p id="p" style="color: red">Strict</p>'),
    );
    await project.run("goto", `${site.url}/strict`);
    await project.run("style", "#p", "letter-spacing", "4px");
    await project.run("style", "#p", "letter-spacing", "5px");
    expect(await project.run("css", "#p", "letter-spacing")).toBe("5px");
    await project.run("style", "--undo");
    expect(await project.run("css", "#p", "letter-spacing")).toBe("4px");
    await project.run("style", "--undo");
    expect(await project.run("css", "#p", "letter-spacing")).toBe("normal");
  });

  it("says when there is nothing to take back, or its element is gone", async () => {
    expect(await project.refusal("style", "--undo")).toMatchObject({ kind: "not_found", exitCode: 1 });
    await project.run("style", "#top", "color", "red");
    await project.run("reload");
    expect(await project.run("style", "--undo")).toContain("1 more are gone with their elements");
    expect(await project.refusal("style", "--undo")).toMatchObject({ kind: "not_found" });
  });

  it.each([
    "url(/leak.png)",
    "URL('/leak.png')",
    "u\\72l(/leak.png)",
    "\\75 rl(/leak.png)",
    "image-set('/leak.png' 1x)",
    "-webkit-image-set(url(/leak.png) 1x)",
    "src('/leak.png')",
    "expression(alert(1))",
    "linear-gradient(red, blue), url(/leak.png)",
    "'/*' url(/leak.png) '*/'",
    "@import '/leak.css'",
  ])("refuses %s", async (value) => {
    for (const property of ["background", "--later"]) {
      expect(await project.refusal("style", "#top", "--", property, value)).toMatchObject({
        kind: "invalid_params",
        exitCode: 2,
        message: expect.stringContaining("<value> must not load anything"),
      });
    }
    expect(await attributes("#top")).not.toHaveProperty("style");
    expect(site.requests.filter((request) => request.includes("leak"))).toEqual([]);
  });

  it.each([
    [["#top", "color", "not a color"], 'The browser does not accept "not a color" for "color"'],
    [["#top", "no-such-property", "1px"], 'The browser does not accept "1px" for "no-such-property"'],
    [["#top", "color", "red; margin: 0"], 'The browser does not accept "red; margin: 0" for "color"'],
    [["#top", "co lor", "red"], "<property> is not a CSS property name"],
    [["#top", "color"], "`style` takes an element, a property and a value, or --undo"],
    [["#top", "--undo"], "`style --undo` undoes the tab's last changes, whatever element they are on"],
    [["--undo", "0"], "<steps> must be at least 1, not 0"],
    [["--undo", "999"], "<steps> must be at most 200, not 999"],
    [["3"], "`style` takes an element, a property and a value, or --undo"],
  ])("refuses %j", async (argv, message) => {
    expect(await project.refusal("style", ...argv)).toMatchObject({ kind: "invalid_params", exitCode: 2, message });
  });
});
