import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/article":
      "<!doctype html><title>Article</title><h1>Lamps</h1><p>First paragraph</p><p>Second paragraph</p><p>Third</p>",
    "/form": `<!doctype html><title>Form</title><form><label>Email <input type="email"></label>
      <label>Size <select><option>Small</option></select></label><button>Send</button></form>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("find", () => {
  it("shows the matching lines under their ancestors, with refs", async () => {
    await project.run("goto", `${site.url}/form`);
    const found = await project.run("find", "send");
    expect(found).toMatch(/@e\d+ \[button\] "Send"/);
    expect(await project.run("find", "/^no such line$/")).toBe("No match");
    expect(await project.run("find", "/^send$/i")).toBe(found);
    expect(await project.json("find", "/(email|size)/i")).toMatchObject({ matches: 2 });
  });

  it("shows lines around a match when asked to", async () => {
    await project.run("goto", `${site.url}/article`);
    const alone = await project.run("find", "/Second paragraph/");
    const around = await project.run("find", "/Second paragraph/", "--context", "2");
    expect(around.split("\n").length).toBeGreaterThan(alone.split("\n").length);
  });

  it("says when only a part of a page was searched, or of the matches is shown", async () => {
    site.set("/many", `${"<p>row".repeat(25_000)}<p>last`);
    await project.run("goto", `${site.url}/many`);
    expect(await project.run("find", "last")).toBe("No match among the first 20000 nodes of the page, which has more");
    const found = await project.run("find", "row", "--max-chars", "1000000");
    expect(found).toMatch(/… The first 200 of \d+ matches among the first 20000 nodes/);
  });

  it("lets nobody wait while a pattern that would never end is tried", async () => {
    await project.run("goto", `${site.url}/form`);
    await project.run(
      "js",
      "document.body.append(Object.assign(document.createElement('button'), {textContent: 'a'.repeat(60) + '!'}))",
    );
    let isTrying = true;
    const tried = project.refusal("find", "/(a+)+$/").finally(() => {
      isTrying = false;
    });
    let answers = 0;
    while (isTrying) {
      await project.json("status");
      answers++;
    }
    expect(await tried).toMatchObject({ kind: "invalid_params" });
    // A client takes some fifty milliseconds; while the daemon tries by itself there is one answer.
    expect(answers).toBeGreaterThan(2);
  });

  it("refuses a malformed pattern, and one that would never end", async () => {
    await project.run("goto", `${site.url}/form`);
    expect(await project.refusal("find", "/(/")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    await project.run(
      "js",
      "document.body.append(Object.assign(document.createElement('button'), {textContent: 'a'.repeat(60) + '!'}))",
    );
    expect(await project.refusal("find", "/(a+)+$/")).toMatchObject({
      kind: "invalid_params",
      message: "The pattern takes too long to match",
    });
    expect(await project.refusal("find", "lamp", "--context=many")).toMatchObject({ flag: "--context", exitCode: 2 });
  });
});
