/** What a click in a frame says of the frame's own load, as one in the page does of the page's. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const METADATA = "http://169.254.169.254/latest";
/** A port that browsers do not use. */
const UNSAFE = "http://127.0.0.1:1/";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/frame": `<!doctype html><a href="/there">There</a> <a href="/missing">Missing</a> <a href="/empty">Empty</a>
      <a href="${UNSAFE}">Unsafe</a> <a href="/never">Never</a> <a href="${METADATA}">Metadata</a>`,
    "/there": "<!doctype html><h1>There</h1>",
    "/missing": (_request, response) =>
      response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><h1>Missing</h1>"),
    "/empty": (_request, response) => response.writeHead(204).end(),
    "/never": () => undefined,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe.each([
  ["of the same site", "127.0.0.1"],
  ["of another site, in a process of its own", "localhost"],
])("a click in a frame %s", (_which, host) => {
  let origin: string;

  beforeEach(async () => {
    origin = site.url.replace("127.0.0.1", host);
    site.set("/", `<!doctype html><title>Home</title><iframe name="inner" src="${origin}/frame"></iframe>`);
    await project.run("goto", site.url, "--wait", "load");
    await project.run("frame", "--name", "inner");
  });

  it("says where the frame went", async () => {
    expect(await project.run("click", "text=There")).toMatch(/→ a frame navigated to http:\S+\/there$/);
  });

  it("says with which failing status it was answered", async () => {
    expect(await project.run("click", "text=Missing")).toMatch(/→ a frame navigated to http:\S+\/missing \(404\)$/);
  });

  it("says that there is nothing to show", async () => {
    expect(await project.run("click", "text=Empty")).toContain(`GET ${origin}/empty was answered with 204`);
  });

  it("says why a load failed", async () => {
    const { effect } = await project.json("click", "text=Unsafe");
    expect(effect).toMatchObject({ failedFrames: [{ url: UNSAFE, network: "ERR_UNSAFE_PORT" }] });
    expect(effect).not.toHaveProperty("frames");
  });

  it("says that an address is refused, and why", async () => {
    expect(await project.run("click", "text=Metadata")).toContain(
      `a frame could not load ${METADATA}: it is a cloud metadata or link-local address`,
    );
  });

  it("says that the frame is on its way, not the page, and that its load was broken off", async () => {
    expect(await project.run("click", "text=Never", "--no-settle")).toContain(
      `→ a frame is navigating to ${origin}/never (not there yet)`,
    );
    await project.run("stop-loading");
    const asked = () => site.requests.filter((line) => line === "GET /never").length;
    const before = asked();
    const clicking = project.run("click", "text=Never");
    await expect.poll(asked).toBeGreaterThan(before);
    await project.run("stop-loading");
    expect(await clicking).toContain(`the load of ${origin}/never was broken off`);
  });
});
