import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/article": "<!doctype html><title>Article</title><main><h1>Lamps</h1><p>Text</p></main>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("html", () => {
  it("is the page's own, without a trace of a snapshot", async () => {
    await project.run("goto", `${site.url}/article`);
    const before = await project.run("html");
    expect(before).toContain("<!DOCTYPE html>");
    await project.run("snapshot");
    await project.run("snapshot", "-i");
    expect(await project.run("html")).toBe(before);
  });

  it("is of one element when asked for, with its own tag when that is wanted", async () => {
    await project.run("goto", `${site.url}/article`);
    expect(await project.run("html", "h1")).toBe("Lamps");
    expect(await project.run("html", "h1", "--outer")).toBe("<h1>Lamps</h1>");
  });
});
