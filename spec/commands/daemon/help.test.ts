import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": "<!doctype html><title>Here</title><button>Go</button>" });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("help", () => {
  it("shows all commands, and the flags and examples of one", async () => {
    const overview = await project.run("help");
    for (const name of ["goto", "snapshot", "click", "chain", "--timeout"]) expect(overview).toContain(`  ${name}`);
    const headings = overview.split("\n").filter((line) => /^[A-Z]\w+$/.test(line));
    expect(headings).toEqual([...new Set(headings)]);
    expect(await project.run()).toBe(overview);
    expect(await project.run("--help")).toBe(overview);
    const help = await project.run("help", "click");
    expect(help).toContain("--new-tab");
    expect(help).toContain("browse click @e3");
    for (const argv of [
      ["click", "--help"],
      ["click", "-h"],
      ["--help", "click"],
    ]) {
      expect(await project.run(...argv)).toBe(help);
    }
  });

  it("shows an alias's command by its own name", async () => {
    const help = await project.run("help", "open");
    expect(help).toMatch(/^browse goto /);
    expect(help).toContain("Also: open");
  });

  it("needs no daemon, starts none, and says the same without one", async () => {
    await using fresh = new Project();
    for (const argv of [
      [],
      ["--help"],
      ["help"],
      ["help", "click"],
      ["help", "open"],
      ["help", "state"],
      ["help", "state", "save"],
      ["help", "click", "--json"],
      ["click", "@e3", "--new-tab", "--help"],
      ["state", "save", "-h"],
      ["--session", "work", "click", "--help"],
      ["tab-each", "--help"],
    ]) {
      const { stdout, stderr, exitCode } = await fresh.cli(argv, { env: {} });
      expect({ argv, exitCode, stderr }).toEqual({ argv, exitCode: 0, stderr: "" });
      expect(stdout).toBe((await project.cli(argv)).stdout);
    }
    expect(existsSync(fresh.stateDir)).toBe(false);
  });

  it("knows no command by a name that every object has", async () => {
    await using fresh = new Project();
    for (const name of ["__proto__", "constructor", "toString"]) {
      const { stdout, stderr, exitCode } = await fresh.cli(["help", name], { env: {} });
      expect([stdout, stderr, exitCode]).toEqual(["", expect.stringContaining(`"${name}"`), 2]);
    }
  });

  it("does nothing but help", async () => {
    await project.run("closetab", "--help");
    expect(await project.run("url")).toBe(`${site.url}/`);
  });
});
