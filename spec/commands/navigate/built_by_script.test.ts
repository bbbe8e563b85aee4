/** Pages that build themselves by script: they are there when the navigation has answered. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

/** Asks for its content in a task of its own, as frameworks do. */
const APP = `
  async function show() {
    root.textContent = "Loading…";
    root.textContent = (await (await fetch("/api" + location.pathname)).json()).title;
  }
  addEventListener("popstate", show);
  more.onclick = () => { history.pushState({}, "", "/app/second"); show(); };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = show;
  port2.postMessage(1);`;

const SHELL = `<!doctype html><title>App</title><p id=root></p><button id=more>More</button><a href=/app/first>Home</a>
  <script type=module src=/app.js></script>`;

beforeAll(async () => {
  site = await Site.serve({
    "/app.js": APP,
    "/app/first": SHELL,
    "/app/second": SHELL,
    "/app/silent": SHELL,
    "/api/app/first": (_request, response) => void setTimeout(() => response.end('{"title":"First"}'), 150),
    "/api/app/second": (_request, response) => void setTimeout(() => response.end('{"title":"Second"}'), 150),
    "/api/app/silent": () => undefined,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A machine that is busy may take longer than is waited: then the answer has to say so. */
async function shows(title: string, ...argv: string[]): Promise<void> {
  const answer = await project.run(...argv);
  if (answer.includes("not answered yet")) await project.run("wait", "--text", title);
  expect(await project.run("text", "#root")).toBe(title);
}

describe("a page that builds itself by script", () => {
  it("is there when goto, click, back and forward have answered", async () => {
    await shows("First", "goto", `${site.url}/app/first`);
    await shows("Second", "click", "#more");
    await shows("First", "back");
    await shows("Second", "forward");
    await shows("First", "click", "text=Home");
  });

  it("is said to wait for what is not answered", async () => {
    const answer = await project.run("goto", `${site.url}/app/silent`);
    expect(answer).toBe(`Navigated to ${site.url}/app/silent (200) → GET ${site.url}/api/app/silent not answered yet`);
  });
});
