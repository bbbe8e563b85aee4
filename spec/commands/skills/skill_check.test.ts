import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Site } from "../../harness/site.ts";
import { SkillProject } from "../../harness/skill_project.ts";

let site: Site;
let project: SkillProject;

const price = (text: string) => `<!doctype html><title>P</title><p id="price">${text}</p>`;

beforeAll(async () => {
  site = await Site.serve({ "/": price("Price: 12 €") });
  project = new SkillProject();
  await project.run("goto", site.url);
  await project.run("text", "#price");
  await project.codify("price");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("skill check", () => {
  it("runs the test, and tells how old the fixture is", async () => {
    expect(await project.json("skill", "check")).toEqual({
      skills: expect.arrayContaining([
        { name: "crawl", test: "passed" },
        { name: "price", test: "passed", fixture: expect.stringContaining("fixtures/127.0.0.1-"), ageDays: 0 },
      ]),
    });
  });

  it("with --live holds the page against it, in a tab that it closes again", async () => {
    const tabs = async () => ((await project.json("tabs")) as { tabs: unknown[] }).tabs.length;
    const before = await tabs();
    site.set("/", price("Price: 15 €"));
    expect(await project.run("skill", "check", "price", "--live")).toContain("the page is as it was");
    site.set("/", price("Ask for it"));
    const { stdout, exitCode } = await project.cli(["skill", "check", "price", "--live"]);
    expect(stdout).toContain("- result.fields.Price: text with a number");
    expect(exitCode).toBe(1);
    site.set("/", "<p>Sold</p>");
    expect((await project.cli(["skill", "check", "price", "--live"])).stdout).toContain('Nothing matches "#price"');
    expect(await tabs()).toBe(before);
  });

  it("tells of a test that fails", async () => {
    writeFileSync(
      join(project.skillDir("price"), "script.ts"),
      "export const main = () => {};\nexport const parse = () => 1;\n",
    );
    const { stdout, exitCode } = await project.cli(["skill", "check", "price"]);
    expect([stdout, exitCode]).toEqual([expect.stringContaining("price: test failed"), 1]);
  });
});
