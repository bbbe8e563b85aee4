import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Home</title><h1>Home</h1><a href='/next'>Next</a>",
    "/kept": "<!doctype html><title>Kept</title>",
    "/unkept": (_request, response) =>
      response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end("<!doctype html>"),
    "/framed": "<!doctype html><title>Framed</title><iframe name=inner src=/inner></iframe>",
    "/inner": "<!doctype html><a href=/moved>Move</a><a href=#within>Within</a>",
    "/moved": "<!doctype html><p>Moved</p>",
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
    "/push": `<!doctype html><title>Push</title><button onclick="history.pushState({}, '', '/pushed')">Push</button>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("the history", () => {
  it("goes back and forward, and says where it is then", async () => {
    await project.run("goto", site.url);
    await project.run("goto", `${site.url}/next`);
    expect(await project.run("back")).toMatch(`Navigated to ${site.url}/`);
    expect(await project.title()).toBe("Home");
    expect(await project.run("forward")).toMatch(`Navigated to ${site.url}/next`);
    expect(await project.title()).toBe("Next");
  });

  it("says of a page that the browser had kept that no server was asked", async () => {
    await project.run("goto", `${site.url}/kept`);
    await project.run("goto", `${site.url}/next`);
    expect(await project.run("back")).toBe(`Navigated to ${site.url}/kept (200, from the browser's cache)`);
    expect(await project.run("goto", `${site.url}/unkept`)).toBe(`Navigated to ${site.url}/unkept (200)`);
    await project.run("goto", `${site.url}/next`);
    expect(await project.run("back")).toBe(`Navigated to ${site.url}/unkept (200)`);
  });

  it("goes back and forward in a frame, and says so", async () => {
    await project.run("goto", `${site.url}/framed`, "--wait", "load");
    await project.run("click", await project.ref('"Move"', "-i"));
    const stays = `in a frame; the page stays at ${site.url}/framed → a frame navigated to ${site.url}`;
    expect(await project.run("back")).toBe(`Went back ${stays}/inner`);
    expect(await project.run("forward")).toBe(`Went forward ${stays}/moved`);
    await project.run("back");
    await project.run("click", await project.ref('"Within"', "-i"));
    expect(await project.run("back")).toBe(`Went back ${stays}/inner`);
    expect(await project.json("forward")).toMatchObject({
      inFrame: true,
      effect: { frames: [`${site.url}/inner#within`] },
    });
    await project.run("goto", `${site.url}/next`);
    expect(await project.run("back")).toMatch(`Navigated to ${site.url}/framed (200`);
  });

  it("says of a frame whose server is silent that it is waited for", async () => {
    site.set("/inner", (_request, response) =>
      response
        .writeHead(200, { "content-type": "text/html", "cache-control": "no-store" })
        .end("<!doctype html><a href=/moved>Move</a>"),
    );
    await project.run("goto", `${site.url}/framed`, "--wait", "load");
    await project.run("click", await project.ref('"Move"', "-i"));
    site.set("/inner", () => {});
    const { message } = await project.refusal("back", "--timeout", "700");
    expect(message).toContain(`a frame to show "${site.url}/inner": its server has not answered`);
  });

  it("refuses at once where there is nothing to go to", async () => {
    await project.run("newtab");
    expect(await project.refusal("back")).toMatchObject({ kind: "not_found", exitCode: 1 });
    expect(await project.refusal("forward")).toMatchObject({ kind: "not_found", exitCode: 1 });
    await project.run("closetab");
  });

  it("knows the addresses that the page pushed itself", async () => {
    await project.run("goto", `${site.url}/push`);
    expect(await project.run("click", "button")).toContain(`→ navigated to ${site.url}/pushed`);
    expect(await project.run("url")).toBe(`${site.url}/pushed`);
    expect(await project.run("back")).toBe(`Navigated to ${site.url}/push`);
  });

  it("never lets a ref of the page before press anything on this one", async () => {
    await project.run("goto", site.url);
    const ref = await project.ref('"Next"', "-i");
    await project.run("goto", `${site.url}/push`);
    expect(await project.refusal("click", ref)).toMatchObject({ kind: "stale_ref" });
    await project.run("back");
    await project.run("forward");
    expect(await project.refusal("click", ref)).toMatchObject({ kind: "stale_ref" });
    expect(await project.run("url")).toBe(`${site.url}/push`);
  });
});
