import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
let sent = 0;
let isBroken = false;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Home</title><h1>Home</h1><a href='/next'>Next</a>",
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
    "/form": "<!doctype html><title>Form</title><form method=post action=/order><button>Order</button></form>",
    "/order": (request, response) => {
      if (request.method === "POST") sent++;
      if (isBroken) return void request.socket.resetAndDestroy();
      response.setHeader("content-type", "text/html").end(`<!doctype html><title>Thanks</title>${sent} sent`);
    },
    "/cached": "<!doctype html><title>Cached</title><script src='/cached.js'></script>",
    "/cached.js": (_request, response) =>
      response.writeHead(200, { "content-type": "text/javascript", "cache-control": "max-age=3600" }).end(";"),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("reload", () => {
  const loads = () => site.requests.filter((request) => request === "GET /cached.js").length;

  it("takes what the cache has, and with --hard nothing of it", async () => {
    await project.run("goto", `${site.url}/cached`, "--wait", "load");
    const before = loads();
    expect(await project.run("reload", "--wait", "load")).toBe(`Navigated to ${site.url}/cached (200)`);
    expect(loads()).toBe(before);
    await project.run("reload", "--hard", "--wait", "load");
    expect(loads()).toBe(before + 1);
  });

  it("is known by no other address than the page's", async () => {
    await project.run("goto", site.url);
    await project.run("js", "document.title = 'Changed'");
    await project.run("reload");
    expect(await project.title()).toBe("Home");
  });
});

describe("reload of the answer to a form", () => {
  it("sends the form again only with --resend", async () => {
    await project.run("goto", `${site.url}/form`);
    await project.run("click", "text=Order");
    const before = sent;
    const { kind, message, hint } = await project.refusal("reload");
    expect({ kind, message }).toEqual({
      kind: "invalid_params",
      message: "This page is the answer to a form: loading it again would send the form again",
    });
    expect(hint).toContain("--resend");
    expect(sent).toBe(before);
    await project.run("reload", "--resend");
    expect(sent).toBe(before + 1);
    isBroken = true;
    const refusal = await project.refusal("reload", "--resend");
    isBroken = false;
    expect(refusal).toMatchObject({
      kind: "outcome_unknown",
      message: expect.stringContaining("The form may have been sent and carried out: Cannot load"),
      hint: "Look whether it was before you send it again",
    });
    await project.run("goto", `${site.url}/form`);
    await project.run("reload");
  });
});
