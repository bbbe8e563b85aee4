import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../harness/pictures.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const RED = pngOf(40, 30);

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/plain": "<!doctype html><title>Plain</title><p>Nothing here",
    "/red.png": (_request, response) => response.writeHead(200, { "content-type": "image/png" }).end(RED),
    "/framed": `<!doctype html><title>Framed</title><h1>Outside</h1><img src="/red.png"><iframe src="/plain"></iframe>
      <script>document.querySelector("h1").textContent = "Written by a script"</script>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("archive", () => {
  it("holds the page as it is now, with pictures and frames, in a file that Chromium opens again", async () => {
    await project.run("goto", `${site.url}/framed`, "--wait", "load");
    const { path, bytes, url } = await project.json("archive", "page.mhtml");
    expect([path, url]).toEqual([join(project.dir, "page.mhtml"), `${site.url}/framed`]);
    const text = readFileSync(String(path), "latin1");
    expect(text.length).toBe(bytes);
    expect(text).toMatch(/^From: <Saved by Blink>/);
    expect(text).toContain(`Content-Location: ${site.url}/red.png`);
    await project.run("goto", "file:page.mhtml");
    expect(await project.run("text")).toContain("Written by a script");
    expect(await project.run("text")).toContain("Nothing here");
  });

  it("goes to the artifacts without a path, and refuses names of other kinds", async () => {
    const { path } = await project.json("archive");
    expect(String(path)).toMatch(/artifacts\/page-[a-z0-9-]+\.mhtml$/);
    expect(await project.refusal("archive", "page.html")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("archive", "a.mhtml", "b.mhtml")).toMatchObject({ kind: "invalid_params" });
  });
});
