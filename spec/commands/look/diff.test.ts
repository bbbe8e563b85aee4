/** Two pages compared: what they say, and how they look. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureHeader } from "../../harness/picture.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const shop = (
  cart: string,
  extra = "",
) => `<!doctype html><title>Shop</title><style>body { margin: 0; background: white }</style>
  <h1>Shop</h1><p>One</p><p>Two</p><p>Three</p><p>Four</p><p id="cart">${cart}</p>${extra}`;
const box = (color: string) => `<div style="width:100px;height:100px;background:${color}"></div>`;

let site: Site;
let project: Project;
let tab: string;

beforeAll(async () => {
  site = await Site.serve({
    "/a": shop("Empty"),
    "/b": shop("1 item"),
    "/red": shop("x", box("red")),
    "/blue": shop("x", box("blue")),
    "/tall": shop("x", '<div style="height:5000px"></div>'),
    "/gone": (_request, response) => response.writeHead(404, { "content-type": "text/html" }).end(shop("Not here")),
    "/me": (request, response) =>
      response.setHeader("content-type", "text/html").end(shop(`Hello ${request.headers.cookie}`)),
    "/dialog": `${shop("Empty")}<script>alert("Hello"); confirm("Leave?"); open("/a")</script>`,
    "/to-metadata": (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
  });
  project = await SharedProject.open();
  await project.run("goto", `${site.url}/a`);
  tab = await project.currentTab();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function compare(one: string, other: string, ...flags: string[]): Promise<Record<string, unknown>> {
  return await project.json("diff", `${site.url}${one}`, `${site.url}${other}`, ...flags);
}

describe("diff", () => {
  it("shows the lines that differ, with those around them", async () => {
    const { same, added, removed, diff, first, second } = await compare("/a", "/b");
    expect([same, added, removed]).toEqual([false, 1, 1]);
    expect(first).toEqual({ url: `${site.url}/a`, status: 200 });
    expect(second).toEqual({ url: `${site.url}/b`, status: 200 });
    expect(
      String(diff)
        .split("\n")
        .filter((line) => /^[+-]/.test(line)),
    ).toEqual(["-Empty", "+1 item"]);
    expect(diff).toMatch(/^@@ .* @@\n/);
    expect(diff).toContain(" Four");
    expect(diff).not.toContain(" Shop");
    expect(await project.run("diff", `${site.url}/a`, `${site.url}/b`)).toContain("1 lines added, 1 removed\n@@");
  });

  it("says in one line that two pages say the same", async () => {
    expect(await project.run("diff", `${site.url}/a`, `${site.url}/a`)).toBe(
      `${site.url}/a and ${site.url}/a say the same`,
    );
    expect(await compare("/a", "/a")).toMatchObject({ same: true, added: 0, removed: 0, diff: "" });
  });

  it("compares pages that the server refuses, and says that it did", async () => {
    expect(await project.run("diff", `${site.url}/a`, `${site.url}/gone`)).toContain(`${site.url}/gone answered 404`);
  });

  it("brings the session's cookies", async () => {
    await project.run("js", "document.cookie = 'name=Ann'");
    expect((await compare("/a", "/me")).diff).toContain("+Hello name=Ann");
  });

  it("opens no tab, moves none, and lets no dialog wait", async () => {
    await compare("/dialog", "/b");
    expect(await project.run("tabs")).toBe(`* ${tab} "Shop" ${site.url}/a`);
    expect(await project.run("dialog")).not.toContain("Hello");
  });

  it("refuses addresses that may not be opened, and too few of them", async () => {
    expect(await project.refusal("diff", `${site.url}/a`, "http://169.254.169.254/")).toMatchObject({
      kind: "blocked_url",
    });
    expect(await project.refusal("diff", `${site.url}/a`)).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("diff", `${site.url}/a`, "http://127.0.0.1:9/")).toMatchObject({
      kind: "navigation_failed",
    });
    expect(await project.run("tabs")).toBe(`* ${tab} "Shop" ${site.url}/a`);
  });
});

describe("diff --screenshot", () => {
  it("counts the pixels that differ, and shows them in a picture", async () => {
    const { same, mismatched, mismatch, path, width, height } = await compare("/red", "/blue", "--screenshot");
    expect([same, width]).toEqual([false, 1280]);
    expect(mismatched).toBe(100 * 100);
    expect(mismatch).toBeCloseTo(10_000 / (Number(width) * Number(height)), 6);
    expect(pictureHeader(readFileSync(String(path)))).toEqual({ format: "png", width, height });
    expect(String(path).startsWith(join(project.stateDir, "artifacts/diff-"))).toBe(true);
    const { data, width: columns } = PNG.sync.read(readFileSync(String(path)));
    const reds = Array.from({ length: data.length / 4 }, (_, index) => index).filter(
      (index) => data[index * 4]! > 200 && data[index * 4 + 1]! < 50,
    );
    expect(reds).toHaveLength(10_000);
    expect(Math.max(...reds.map((index) => index % columns))).toBe(99);
  });

  it("says that two pages look the same", async () => {
    expect(await compare("/red", "/red", "--screenshot")).toMatchObject({ same: true, mismatched: 0, mismatch: 0 });
    expect(await project.run("diff", `${site.url}/red`, `${site.url}/red`, "--screenshot")).toMatch(/look the same$/);
  });

  it("compares pages of different heights, within the limit for vision models", async () => {
    const { width, height, same } = await compare("/a", "/tall", "--screenshot");
    expect(height).toBe(2000);
    expect(Number(width)).toBeLessThan(600);
    expect(same).toBe(false);
  });

  it("leaves no picture when it fails", async () => {
    const before = readdirSync(join(project.stateDir, "artifacts"));
    await project.refusal("diff", `${site.url}/a`, "http://127.0.0.1:9/", "--screenshot");
    expect(readdirSync(join(project.stateDir, "artifacts"))).toEqual(before);
  });
});
