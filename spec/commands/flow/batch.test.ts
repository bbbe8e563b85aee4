import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { json, refusal } from "./flags_first.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><label>City <input id="city"></label><button id="go" onclick="document.title = 'Pressed'">Go</button><ul id="list"><li>One</li></ul>`,
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
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

interface Step {
  command: string;
  outcome: string;
  text: string;
  tab?: string;
  result?: Record<string, unknown>;
}

interface Steps {
  steps: Step[];
  failed: number;
}

async function tabs(): Promise<{ id: string; current: boolean }[]> {
  return ((await project.json("tabs")) as { tabs: { id: string; current: boolean }[] }).tabs;
}

describe("batch", () => {
  it("runs the lines of a file, of standard input, and JSON", async () => {
    writeFileSync(
      join(project.dir, "look.txt"),
      "# what is here\n\n  title\r\nfill '#city' 'Porto # not a comment | or a bar'\nvalue '#city'\n",
    );
    expect(await project.run("batch", "look.txt")).toMatch(
      /^title: "Home"\nfill: .*\nvalue: Porto # not a comment \| or a bar$/,
    );
    const { stdout } = await project.cli(["batch", "-"], { stdin: "url\ntitle\n" });
    expect(stdout).toBe(`url: ${site.url}/\ntitle: "Home"\n`);
    const { steps } = await json<Steps>(project, ["batch", "-"], '[["title"], ["count", "li"]]');
    expect(steps.map(({ result }) => result)).toEqual([{ title: "Home" }, { count: 1 }]);
  });

  it("stops no command for another that fails", async () => {
    const answer = await json<Steps>(project, ["batch", "-"], "click '#nowhere'\nclick '#go'\ntitle\n");
    expect(answer.steps.map(({ outcome, text }) => (outcome === "ok" ? text : outcome))).toEqual([
      "not_found",
      expect.stringContaining("Clicked"),
      '"Pressed"',
    ]);
    expect(answer).toMatchObject({ failed: 1, exitCode: 1 });
  });

  it("keeps the order of a tab that some lines name and others mean as the current one", async () => {
    const id = (await tabs()).find(({ current }) => current)?.id;
    const add = (letter: string) => `js "await new Promise(requestAnimationFrame), document.title += '${letter}'"`;
    const lines = [add("a"), add("b"), `${add("c")} --tab ${id}`, add("d"), "title"];
    const { steps } = await json<Steps>(project, ["batch", "-"], lines.join("\n"));
    expect(steps.at(-1)?.result).toEqual({ title: "Homeabcd" });
  });

  it("runs different tabs beside each other, each in its own order", async () => {
    await project.run("newtab", `${site.url}/next`);
    const [first, second] = await tabs();
    // The command on the second tab lets the one on the first go on: in a single row they would never end.
    const listen = "new BroadcastChannel('go').onmessage = () => document.querySelector('li').remove()";
    await project.run("js", listen, "--tab", first!.id);
    const lines = [
      `wait --gone li --timeout 20s --tab ${first!.id}`,
      `title --tab ${first!.id}`,
      `js "new BroadcastChannel('go').postMessage(1)" --tab ${second!.id}`,
    ];
    const answer = await json<Steps>(project, ["batch", "-"], lines.join("\n"));
    expect(answer.steps.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
  });

  it.each([
    ["an unknown command", "click '#go'\ndance", "unknown_command"],
    ["a wrong flag", "click '#go'\nscroll --sideways", "invalid_params"],
    ["a blocked address", "click '#go'\ngoto file:///etc/passwd", "blocked_url"],
    ["a blocked path", "click '#go'\nscreenshot /etc/a.png", "blocked_path"],
    ["a batch", "click '#go'\nbatch --commands url", "invalid_params"],
    ["a chain", "click '#go'\nchain 'url | title'", "invalid_params"],
    ["more than 50", "click '#go'\n".repeat(51), "invalid_params"],
    ["an open quote", "click '#go'\nfill '#city", "invalid_params"],
    ["nothing", "", "invalid_params"],
    ["comments", "# one\n\n# two", "invalid_params"],
    ["an empty list", "[]", "invalid_params"],
    ["half a list", '[["click", "#go"]', "invalid_params"],
  ])("runs nothing at all with %s in it", async (_what, text, kind) => {
    expect(await refusal(project, ["batch", `--commands=${text}`])).toMatchObject({ kind });
    expect(await project.title()).toBe("Home");
  });

  it("takes 50 commands, and files by the path policy only", async () => {
    const answer = await json<Steps>(project, ["batch", "-"], "url\n".repeat(50));
    expect(answer.steps).toHaveLength(50);
    expect(await refusal(project, ["batch", "/etc/hosts"])).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    expect(await refusal(project, ["batch", "missing.txt"])).toMatchObject({ kind: "not_found" });
    expect(await refusal(project, ["batch"])).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
