import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const PAGE = `<!doctype html><title>Hover</title><button onmouseover="log.textContent = 'hovered'">Over</button><pre id="log"></pre>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": PAGE });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("hover", () => {
  it("moves the mouse over an element", async () => {
    await project.run("goto", site.url);
    expect(await project.run("hover", "text=Over")).toMatch(/^Hovered @e\d+ \[button\] "Over"/);
    expect(await project.run("text", "#log")).toBe("hovered");
  });
});
