import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><button id="ask" onclick="document.title = String(confirm('Delete it?'))">Ask</button>`,
    "/keeps": `<!doctype html><title>Draft</title><input id="draft"><script>addEventListener("beforeunload", (event) => event.preventDefault())</script>`,
    "/greets": `<!doctype html><title>Greets</title><script>alert("Welcome")</script>`,
    "/next": "<!doctype html><title>Next</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
  await project.run("goto", site.url);
});

describe("dialog-policy", () => {
  it("is to accept, without a window, and tells what it is", async () => {
    expect(await project.json("dialog-policy")).toEqual({ policy: "accept" });
    await project.run("click", "#ask");
    expect(await project.title()).toBe("true");
  });

  it("dismisses, in every tab and from then on", async () => {
    expect(await project.run("dialog-policy", "dismiss")).toBe("Dialogs are dismissed");
    await project.run("newtab", site.url);
    await project.run("click", "#ask");
    expect(await project.title()).toBe("false");
    await project.run("click", "#ask");
    expect(await project.title()).toBe("false");
  });

  it("leaves dialogs open until they are answered", async () => {
    await project.run("dialog-policy", "ask");
    expect(await project.refusal("click", "#ask")).toMatchObject({ kind: "dialog_open" });
    expect(await project.run("dialog-policy")).toContain("stay open");
    await project.run("dialog-accept");
    expect(await project.title()).toBe("true");
    expect(await project.refusal("newtab", `${site.url}/greets`)).toMatchObject({ kind: "dialog_open" });
    await project.run("dialog-accept");
    expect(await project.title()).toBe("Greets");
  });

  it("comes after what was decided for the next dialog", async () => {
    await project.run("dialog-policy", "dismiss");
    await project.run("dialog-accept");
    await project.run("click", "#ask");
    expect(await project.title()).toBe("true");
    await project.run("click", "#ask");
    expect(await project.title()).toBe("false");
  });

  it.each(["accept", "dismiss", "ask"])("never keeps a page that asks whether to leave: %s", async (policy) => {
    await project.run("dialog-policy", policy);
    await project.run("goto", `${site.url}/keeps`);
    // Chromium asks only on pages that the person has touched.
    await project.run("click", "#draft");
    expect(await project.run("goto", `${site.url}/next`)).toContain("beforeunload");
    expect(await project.title()).toBe("Next");
  });

  it("belongs to its session, and refuses what is no policy", async () => {
    await project.run("dialog-policy", "dismiss");
    expect(await project.json("dialog-policy", "--session", "other")).toEqual({ policy: "accept" });
    expect(await project.refusal("dialog-policy", "maybe")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
