import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Site } from "../../harness/site.ts";
import { SkillProject } from "../../harness/skill_project.ts";
import { writeSkill } from "../../harness/skills.ts";

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
      broken: [],
    });
  });

  it("with --live holds the page against it, in a tab that it closes again", async () => {
    const tabs = async () => (await project.json("tabs")).tabs;
    await project.run("newtab");
    const [first] = (await tabs()) as { id: string }[];
    await project.run("tab", String(first?.id));
    const before = await tabs();
    site.set("/", price("Price: 15 €"));
    expect(await project.run("skill", "check", "price", "--live")).toContain(
      `the last page (${site.url}/) is as it was`,
    );
    site.set("/", price("Ask for it"));
    const { stdout, exitCode } = await project.cli(["skill", "check", "price", "--live"]);
    expect(stdout).toContain("- result.fields.Price: text with a number");
    expect(exitCode).toBe(1);
    site.set("/", "<p>Sold</p>");
    expect((await project.cli(["skill", "check", "price", "--live"])).stdout).toContain('Nothing matches "#price"');
    site.set("/", (_, response) => response.destroy());
    expect((await project.cli(["skill", "check", "price", "--live"])).exitCode).toBe(1);
    site.set("/", () => {});
    expect((await project.cli(["skill", "check", "price", "--live", "--timeout", "3s"])).exitCode).not.toBe(0);
    // A call that is out of time answers before its tab is closed.
    await expect.poll(tabs, { timeout: 20_000 }).toEqual(before);
    site.set("/", price("Price: 12 €"));
  });

  it("tells of those that cannot be used at all, and where they are", async () => {
    const dir = project.skillDir("broken");
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "SKILL.md"), "---\nname: broken\ntabz: fresh\n---\n");
    const { stdout, exitCode } = await project.cli(["skill", "check"]);
    expect([stdout, exitCode]).toEqual([expect.stringMatching(/^broken: "broken" \(project\): .*SKILL\.md"\)$/m), 1]);
    rmSync(dir, { recursive: true });
  });

  describe("with a fixture of a stranger's making", () => {
    const read = { command: "text", params: {} as object, url: "", answer: { text: "1" } };

    it.each([
      ["runs no other command", { command: "js", params: { code: "1" } }, '"js" is not a read of a page'],
      ["writes no file", { command: "screenshot", params: { path: "shot.png" } }, "is not a read of a page"],
      ["gives its answer to no file", { params: { out: "got.txt" } }, "not read with such params"],
      ["reads no file", { params: { file: "/etc/a.pdf" } }, 'reads something else with "file"'],
      ["reads no file by its place", { params: { target: "/etc/a.pdf" } }, "would read a file"],
      ["reads no other tab", { params: { tab: "t1" } }, "not read with such params"],
      ["opens no other host", { url: "http://localhost:1/" }, "no page of the skill's host"],
      ["opens no file", { url: "file:///etc/passwd" }, "no page of the skill's host"],
    ])("%s", async (_what, more, problem) => {
      const fixture = { ...read, url: site.url, ...more };
      writeSkill(project.stateDir, "strange", {
        host: "127.0.0.1",
        body: "return 1;",
        files: { "fixtures/page-2026-01-02.json": JSON.stringify(fixture) },
      });
      const before = await project.json("tabs");
      const { stdout, exitCode } = await project.cli(["skill", "check", "strange", "--live"]);
      expect([stdout, exitCode]).toEqual([expect.stringContaining(problem), 1]);
      expect(await project.json("tabs")).toEqual(before);
    });

    it("reads nothing where a page of its host has led", async () => {
      const elsewhere = site.url.replace("127.0.0.1", "localhost");
      site.set("/away", (_, response) => response.writeHead(302, { location: elsewhere }).end());
      writeSkill(project.stateDir, "strange", {
        host: "127.0.0.1",
        body: "return 1;",
        files: { "fixtures/page-2026-01-02.json": JSON.stringify({ ...read, url: `${site.url}/away` }) },
      });
      const { stdout } = await project.cli(["skill", "check", "strange", "--live"]);
      expect(stdout).toContain(`"${elsewhere}/" is no page of the skill's host`);
    });

    it("takes what it is given for text, and for no flag", async () => {
      const out = join(project.dir, "got.txt");
      writeSkill(project.stateDir, "strange", {
        host: "127.0.0.1",
        body: "return 1;",
        files: {
          "fixtures/page-2026-01-02.json": JSON.stringify({
            ...read,
            url: site.url,
            params: { target: `--out=${out}` },
          }),
        },
      });
      await project.cli(["skill", "check", "strange", "--live"]);
      expect(existsSync(out)).toBe(false);
    });
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
