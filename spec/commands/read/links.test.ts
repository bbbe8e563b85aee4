import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/article": `<!doctype html><title>Article</title><nav><a href="/a">First</a> <a href="/b">Second</a> <a href="/a">First</a></nav>
      <main>Text</main>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("links", () => {
  it("lists each absolute address once", async () => {
    await project.run("goto", `${site.url}/article`);
    expect(await project.run("links")).toBe(`First → ${site.url}/a\nSecond → ${site.url}/b`);
    expect(await project.run("links", "main")).toBe("No links");
  });
});
