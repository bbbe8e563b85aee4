import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connect } from "../../../client.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><h1>Home</h1><a href="/next">Go</a><input aria-label="Name">
      <button onclick="this.textContent = 'Added'">Add</button><button onclick="window.open('/closing')">Open</button>`,
    "/closing": `<!doctype html><button onclick="window.close()">Close</button>`,
    "/next": `<!doctype html><title>Next</title><h1>Next</h1><p>Some text</p><button>Pay</button>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

test("a navigation that is given the flags of `snapshot` goes on with one, whose refs can be used", async () => {
  const answer = await project.run("goto", `${site.url}/next`, "-i");
  expect(answer).toMatch(/^.*\/next.*200.*\n"Next" .*\n/);
  expect(answer).not.toContain("Some text");
  const ref = /(@e\d+) \[button\] "Pay"/.exec(answer)?.[1] ?? "";
  expect(await project.run("click", ref)).toMatch(/^Clicked @e\d+ \[button\] "Pay"/);
});

test("an action goes on with what it led to, and `--snapshot` shows all of it", async () => {
  const answer = await project.run("click", "a", "--snapshot");
  expect(answer).toMatch(/^Clicked @e\d+ \[link\] "Go" → navigated to .*\/next \(200\)\n"Next" /);
  expect(answer).toContain("Some text");
});

test("`-D` after an action shows what it changed", async () => {
  await project.run("snapshot");
  expect(await project.run("click", "text=Add", "-D")).toMatch(/\n~ .*"Add".* → .*"Added"/);
});

test("opening a tab and going to one show that tab", async () => {
  const first = await project.currentTab();
  const opened = await project.json("newtab", `${site.url}/next`, "-i");
  expect(opened).toMatchObject({ snapshot: { tab: opened.id, title: "Next" } });
  expect(await project.json("tab", first, "-i")).toMatchObject({ id: first, snapshot: { tab: first, title: "Home" } });
  await project.run("closetab", String(opened.id));
});

test("flags that are wrong are refused before anything is done", async () => {
  const { kind, message } = await project.refusal("click", "text=Add", "-d", "0");
  expect([kind, message]).toEqual(["invalid_params", expect.stringContaining("--depth")]);
  expect(await project.refusal("click", "text=Add", "-s", "")).toMatchObject({ kind: "invalid_params" });
  expect(await project.refusal("click", "text=Add", "--annotate")).toMatchObject({ kind: "invalid_params" });
  expect(await project.run("text")).toContain("Go Add Open");
});

test("what was done is told when nothing can be seen any more", async () => {
  const { effect } = await project.json("click", "text=Open");
  const [tab = ""] = (effect as { opened: string[] }).opened;
  const answer = await project.json("click", "text=Close", "-i", "--tab", tab);
  expect(answer).toMatchObject({ effect: { closed: true }, snapshotError: { kind: "tab_gone" } });
  expect(answer).not.toHaveProperty("snapshot");
  const missing = await project.run("fill", "input", "Ada", "-i", "-s", "#none");
  expect(missing).toMatch(/^Filled .*\nNo snapshot: .*#none/);
});

test("a step of a chain takes them as well", async () => {
  expect(await project.run("chain", "fill input Ada | click a -i")).toContain(`[button] "Pay"`);
});

test("over a connection it is an option of the call, which only commands take that lead somewhere", async () => {
  const { port, token } = project.daemon()!;
  await using browse = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token });
  const { snapshot } = await browse.click({ target: "a" }, { snapshot: { interactive: true } });
  expect(snapshot).toMatchObject({ title: "Next", nodes: [{ role: "heading" }, { role: "button", name: "Pay" }] });
  const whole = await browse.goto({ url: site.url }, { snapshot: true });
  expect(whole.snapshot?.nodes.length).toBeGreaterThan(4);
  await expect(browse.url({}, { snapshot: true })).rejects.toMatchObject({ kind: "invalid_params" });
  const pictured = browse.call("click", { target: "a", snapshot: { annotate: true } });
  await expect(pictured).rejects.toMatchObject({ kind: "invalid_params" });
});
