import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connect } from "../../client.ts";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;
/** Lets the page come that `/late` is asked for. */
let arrive: () => void;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><a href="/late">Go</a><button onclick="title += 'x'">Mark</button>`,
    "/late": (_request, response) => {
      arrive = () => response.setHeader("content-type", "text/html").end("<!doctype html><h1>Late</h1>");
    },
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

test("`--no-settle` answers before the page has come that the action leads to", async () => {
  const { effect } = await project.json("click", "a", "--no-settle");
  expect(effect).toMatchObject({ unsettled: true });
  expect(effect).not.toHaveProperty("navigated");
  await expect.poll(() => site.requests.at(-1)).toBe("GET /late");
  arrive();
  await project.run("wait", "--text", "Late");
});

test("the answer says that nothing was waited for, not that nothing changed", async () => {
  const answer = await project.run("click", "button", "--no-settle");
  expect(answer).toMatch(/^Clicked @e\d+ \[button\] "Mark" → not waited for$/);
  expect(await project.run("click", "button")).toMatch(/changed$/m);
});

test("a step of a chain may be waited for or not, and a chain passes the flag on to its steps", async () => {
  const chain = async (...argv: string[]) => (await project.run("chain", ...argv)).match(/→ .*/g);
  const later = /^→ no change within \d+ ms; before that, since the last action: 1 node changed$/;
  expect(await chain("click button --no-settle | press Tab")).toEqual([
    "→ not waited for",
    expect.stringMatching(later),
  ]);
  expect(await chain("click button | press Tab", "--no-settle")).toEqual(["→ not waited for", "→ not waited for"]);
});

test("over a connection it is an option of the call", async () => {
  const { port, token } = project.daemon()!;
  await using browse = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token });
  const { effect } = await browse.click({ target: "button" }, { noSettle: true });
  expect(effect).toEqual({ unsettled: true });
  expect((await browse.click({ target: "button" })).effect).toHaveProperty("changed");
});
