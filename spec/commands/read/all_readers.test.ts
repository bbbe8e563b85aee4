/** Files and empty pages: what every command that reads answers about them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FULL_CHROMIUM } from "../../harness/full_chromium.ts";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

/** One empty page. */
const PAPER = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>> endobj
trailer <</Root 1 0 R>>
%%EOF`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/form": "<!doctype html><title>Form</title><form><button>Send</button></form>",
    "/empty": "<!doctype html><title></title>",
    "/paper": (_request, response) => response.writeHead(200, { "content-type": "application/pdf" }).end(PAPER),
    "/attached": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/pdf", "content-disposition": "attachment; filename=paper.pdf" })
        .end(PAPER),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("a file", () => {
  it("to download leaves the tab where it is, and is named", async () => {
    await project.run("goto", `${site.url}/form`);
    const stays = `The server sent a file to download: the tab stays at ${site.url}/form → download "paper.pdf" (/`;
    expect((await project.run("goto", `${site.url}/attached`)).slice(0, stays.length)).toBe(stays);
    expect(await project.run("url")).toBe(`${site.url}/form`);
  });

  it("in the browser's PDF viewer is read page by page, and takes all commands that read", async () => {
    await using full = new Project(FULL_CHROMIUM);
    expect(await full.run("goto", `${site.url}/paper`)).toBe(`Navigated to ${site.url}/paper (200)`);
    expect(await full.run("text")).toBe("[page 1 of 1]\n(no text on this page)");
    expect(await full.run("snapshot")).toContain(`${site.url}/paper`);
    expect(await full.run("links")).toBe("No links");
    expect(await full.run("screenshot", "--viewport")).toContain("(1280x720)");
    expect(await full.run("goto", `${site.url}/form`)).toContain("(200)");
  });
});

describe("an empty page", () => {
  it("has an answer for every reader", async () => {
    await project.run("goto", `${site.url}/empty`);
    expect(await project.run("text")).toBe("");
    expect(await project.title()).toBe("");
    expect(await project.run("links")).toBe("No links");
    expect(await project.run("forms")).toBe("[]");
    expect(await project.run("find", "lamp")).toBe("No match");
    expect(await project.run("count", "p")).toBe("0");
    expect(await project.run("html")).toContain("<body></body>");
    expect(await project.run("markdown")).toBe("");
    expect(await project.run("accessibility")).toMatch(/^RootWebArea/);
    expect(await project.run("snapshot", "-i")).toContain(`${site.url}/empty`);
  });
});
