import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
/** Answers to `/later` that the test holds back. */
let held: ServerResponse[] = [];

const RENDERS_LATER = `<!doctype html><title>Early</title><p id="spinner">Loading</p><p id="unseen" hidden>Unseen</p>
<script>fetch("/later").then((answer) => answer.text()).then((text) => {
  document.getElementById("spinner").remove();
  document.body.append(Object.assign(document.createElement("button"), {id: "late", textContent: text}));
  document.title = "Late";
  history.pushState({}, "", "/arrived?done=1");
  window.isReady = true;
});</script>`;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Here</title><button>Go</button>",
    "/spa": RENDERS_LATER,
    "/later": (_request, response) => held.push(response),
    "/endless": "<!doctype html><title>Endless</title><p>Readable</p><img src='/never.png'>",
    "/never.png": () => {},
    "/asks": `<!doctype html><title>Asks</title><button onclick="ask('POST')">Ask</button><a href="/">Leave</a><p id="out"></p>
<script>async function ask(method) { const answer = await fetch("/later", { method }); out.textContent = await answer.text(); }</script>`,
    "/stream": "<!doctype html><title>Stream</title><p>Streaming</p><script>new EventSource('/events')</script>",
    "/events": (_request, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n"),
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Starts a `wait` on a page that has not rendered yet, shows that the tab still answers, then lets the page go on. */
async function waitThrough(...argv: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  held = [];
  await project.run("goto", `${site.url}/spa`);
  const waiting = project.cli(["wait", ...argv]);
  expect(await project.title()).toBe("Early");
  for (const response of held) response.writeHead(200, { "content-type": "text/plain" }).end("Rendered");
  return await waiting;
}

describe("wait", () => {
  it.each([
    ["an element", ["#late"]],
    ["an element by its role", ['role=button[name="Rendered"]']],
    ["an element to be gone", ["--gone", "#spinner"]],
    ["text", ["--text", "Rendered"]],
    ["an address", ["--url", "*/arrived*"]],
    ["a script to be true", ["--fn", "window.isReady"]],
    ["the network to be idle", ["--idle"]],
  ])("waits for %s, while the tab answers others", async (_what, argv) => {
    expect(await waitThrough(...argv)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Waited \d+ ms\n$/),
    });
    expect(await project.title()).toBe("Late");
  });

  it("waits for what a page that was idle before asks for now", async () => {
    held = [];
    await project.run("goto", `${site.url}/asks`);
    await project.run("wait", "--idle");
    await project.run("click", "button", "--no-settle");
    const waiting = project.cli(["wait", "--idle"]);
    expect(await project.run("text", "#out")).toBe("");
    for (const response of held) response.end("Answered");
    expect(await waiting).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Waited \d+ ms\n$/) });
    expect(await project.run("text", "#out")).toBe("Answered");
  });

  it("says which requests keep the network from being idle, as long as their page is there", async () => {
    await project.run("goto", `${site.url}/asks`);
    await project.run("click", "button", "--no-settle");
    expect(await project.refusal("wait", "--idle", "--timeout=300")).toMatchObject({
      kind: "timeout",
      message: expect.stringMatching(/for the network to be idle: POST \S+\/later is still open$/),
    });
    await project.run("click", "a");
    await project.run("wait", "--idle");
  });

  it("answers at once when it is so already", async () => {
    await project.run("goto", site.url);
    await project.run("wait", "button");
    await project.run("wait", "--text", "Go");
    await project.run("wait", "--load");
    await project.run("wait", "--gone", "#nowhere");
    await project.run("wait", await project.ref('"Go"', "-i"));
    expect(await project.run("url")).toBe(`${site.url}/`);
  });

  it("waits for milliseconds without a browser", async () => {
    await using other = new Project();
    const { waitedMs } = await other.json("wait", "50");
    expect(waitedMs).toBeGreaterThanOrEqual(49);
    expect(await other.json("status")).toMatchObject({ browser: "none" });
  });

  it("gives up at its deadline with a hint, and does not take a hidden element for one to see", async () => {
    await project.run("goto", `${site.url}/spa`);
    const waits: [string[], string][] = [
      [["#late"], '"#late" to be seen: nothing matches it'],
      [["#unseen"], '"#unseen" to be seen: the element is there, but hidden'],
      [["--text", "Unseen"], 'the text "Unseen": it cannot be seen on the page'],
      [["--url", "*/cart"], `the address "*/cart": the tab is at ${site.url}/spa`],
      [["--gone", "#spinner"], '"#spinner" to be gone: it can still be seen'],
      [["--fn", "false"], "the script to be true: it is not"],
    ];
    const refusals = waits.map(async ([argv]) => await project.refusal("wait", ...argv, "--timeout", "300"));
    for (const [index, refusal] of (await Promise.all(refusals)).entries()) {
      const message = `Waited 300 ms for ${waits[index]?.[1]}`;
      expect(refusal).toMatchObject({ kind: "timeout", timeoutMs: 300, exitCode: 124, message });
      expect(refusal.hint).toContain("--timeout");
    }
  });

  it("takes times with units, and refuses what is none, or longer than anybody waits", async () => {
    expect((await project.json("wait", "20ms")).waitedMs).toBeLessThan(
      (await project.json("wait", "0.2s")).waitedMs as number,
    );
    for (const time of ["1.5", "-5", "5 days", "10x"]) {
      const message = `<what> takes an element, or a time such as 500, 500ms or 1.5s, not "${time}"`;
      expect(await project.refusal("wait", time)).toMatchObject({ kind: "invalid_params", exitCode: 2, message });
    }
    const message = '"wait" takes a time of at most 5 m, or what --timeout gives, not 99999999 ms';
    expect(await project.refusal("wait", "99999999")).toMatchObject({ kind: "invalid_params", message });
    expect(await project.refusal("wait", "10m", "--timeout", "6m")).toMatchObject({ kind: "invalid_params" });
  });

  it("copes with a page that never finishes loading", async () => {
    await project.run("goto", `${site.url}/endless`);
    await project.run("wait", "--text", "Readable");
    expect(await project.refusal("wait", "--load", "--timeout=300")).toMatchObject({ kind: "timeout" });
    expect(await project.title()).toBe("Endless");
  });

  it("copes with an open event stream", async () => {
    await project.run("goto", `${site.url}/stream`);
    await project.run("wait", "--load");
    await project.run("wait", "--text", "Streaming");
    await project.run("wait", "--idle");
  });

  it("refuses a ref that is dead rather than waiting for it", async () => {
    await project.run("goto", site.url);
    const ref = await project.ref('"Go"', "-i");
    await project.run("goto", `${site.url}/endless`);
    expect(await project.refusal("wait", ref)).toMatchObject({ kind: "stale_ref" });
    await project.run("wait", "--gone", ref);
  });

  it("refuses a selector that is none, and a script that throws", async () => {
    await project.run("goto", site.url);
    expect(await project.refusal("wait", "##")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("wait", "--fn", "nowhere.at.all")).toMatchObject({ kind: "script_error" });
    expect(await project.refusal("wait", "--fn", "1 +")).toMatchObject({ kind: "script_error" });
  });

  it.each([[[]], [["button", "--load"]], [["--text", "a", "--url", "b"]], [["--text", ""]]])(
    "takes exactly one thing to wait for, not %j",
    async (argv) => {
      expect(await project.refusal("wait", ...argv)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    },
  );
});
