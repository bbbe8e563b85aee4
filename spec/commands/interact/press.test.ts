import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const PAGE = `<!doctype html><title>Keys</title>
<input id="field" aria-label="Field" onkeydown="log.textContent += 'key ' + event.key + (event.shiftKey ? ' shift' : '') + '\\n'">
<pre id="log"></pre>`;

const SEARCH = `<!doctype html><title>Shop</title>
<form action="/found"><input type="search" aria-label="Search"><button>Find</button></form><a href="/offers">Offers</a>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": PAGE, "/search": SEARCH, "/offers": SEARCH, "/found": "<title>Found</title>" });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("press", () => {
  beforeEach(async () => {
    await project.run("goto", site.url);
  });

  it("presses keys and chords", async () => {
    await project.run("focus", "#field");
    await project.run("type", "words");
    await project.run("press", "Control+A");
    await project.run("press", "Delete");
    expect(await project.run("value", "#field")).toBe("");
    await project.run("press", "Shift+Enter");
    expect(await project.run("text", "#log")).toContain("key Enter shift");
  });

  it("suggests the right name of a key", async () => {
    expect(await project.refusal("press", "Entr")).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("Enter"),
    });
    expect(await project.refusal("press", "ctrl+a")).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("Control"),
    });
  });

  it("sends a form of a page that a click has just opened", async () => {
    const steps = [
      ["goto", `${site.url}/search`],
      ["click", "text=Offers"],
      ["fill", "label=Search", "lamp"],
      ["press", "Enter"],
      ["title"],
    ];
    expect(await project.run("chain", JSON.stringify(steps))).toContain("press: Pressed Enter → navigated to");
  });
});
