/** What a tab that is closed leaves open is told: nobody can ask it afterwards. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
let tab: string;
/** The file that is being sent. */
let sending: ServerResponse | undefined;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><a href="/file">File</a>
      <button onclick="fetch('/silent', { method: 'POST' }).catch(() => {})">Post</button>
      <button onclick="fetch('/answered', { method: 'POST' })">Ask</button>
      <button onclick="fetch('/silent').catch(() => {})">Get</button>
      <button onclick="confirm('Delete all?')">Confirm</button>`,
    "/asking": `<!doctype html><title>Asking</title><h1>Asking</h1><input>
      <script>onbeforeunload = (event) => event.preventDefault()</script>`,
    "/file": (_request, response) => {
      const headers = {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=a.bin",
      };
      sending = response.writeHead(200, headers);
      sending.write(Buffer.alloc(10_000));
    },
    "/answered": "",
    "/silent": () => undefined,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  tab = String((await project.json("newtab", site.url)).id);
});

test("closetab says which requests that send something had no answer, and which downloads go on", async () => {
  await project.run("click", "text=Ask");
  await project.run("click", "text=Get", "--no-settle");
  await project.run("click", "text=Post", "--no-settle");
  await expect.poll(() => site.requests).toContain("POST /silent");
  expect(await project.run("click", "text=File")).toContain('download "a.bin" (not complete yet)');
  expect(await project.json("closetab", tab)).toMatchObject({
    closed: tab,
    brokenOff: [{ method: "POST", url: `${site.url}/silent` }],
    downloads: [{ name: "a.bin", url: `${site.url}/file` }],
  });
  sending?.end();
  const download = async () => await project.run("events", "download", "--history", "--for", "200ms");
  await expect.poll(download, { timeout: 10_000 }).toContain("download finished name=a.bin");
});

test("closetab --others says so of all that it closes", async () => {
  await project.run("click", "text=Post", "--no-settle");
  await project.run("click", "text=File");
  await project.run("newtab");
  const answer = await project.run("closetab", "--others");
  expect(answer).toContain(
    `POST ${site.url}/silent was broken off before it was answered: it may have been carried out`,
  );
  expect(answer).toContain(
    'download "a.bin" goes on: `browse events download --since 0 --for 1s` tells whether it has ended',
  );
  sending?.end();
});

test("closetab says what became of the dialog by which the page asks to stay", async () => {
  for (const [policy, said] of [
    [undefined, 'dialog: beforeunload "" (accepted)'],
    ["dialog-dismiss", 'dialog: beforeunload "" (dismissed), and the tab closed all the same'],
  ]) {
    const { id } = await project.json("newtab", `${site.url}/asking`);
    // Browsers let a page ask once it has been touched.
    await project.run("fill", "input", "unsaved");
    await project.run("click", "h1");
    if (policy) await project.run(policy);
    expect(await project.run("closetab")).toBe(`Closed ${id}, now on ${tab}\n${said}`);
    expect(await project.run("tabs")).not.toContain("/asking");
  }
});

test("closetab says that a dialog went with the tab unanswered", async () => {
  await project.run("dialog-policy", "ask");
  await project.cli(["click", "text=Confirm"]);
  expect(await project.run("closetab", tab)).toContain('its dialog went with it, unanswered: confirm "Delete all?"');
  await project.run("dialog-policy", "accept");
});

test("closetab says nothing more of a tab that waits for nothing", async () => {
  await project.run("click", "text=Ask");
  expect(await project.run("closetab", tab)).toMatch(/^Closed t\d+, now on t\d+$/);
});
