import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><label>City <input id="city"></label><button id="go" onclick="document.title = 'Pressed'">Go</button>`,
    "/away": (_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    "/next": "<!doctype html><title>Next</title>",
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

interface Step {
  command: string;
  outcome: string;
  text: string;
  result?: Record<string, unknown>;
}

async function chain(...argv: string[]): Promise<{ steps: Step[]; failed: number; exitCode: number }> {
  const { stdout, exitCode, stderr } = await project.cli(["chain", ...argv, "--json"]);
  if (stdout === "") throw new Error(stderr);
  return { ...(JSON.parse(stdout) as { steps: Step[]; failed: number }), exitCode };
}

describe("chain", () => {
  it("takes what is piped in as its commands", async () => {
    expect((await project.cli(["chain"], { stdin: "url | title", env: {} })).stdout).toBe(
      `url: ${site.url}/\ntitle: "Home"\n`,
    );
    expect((await project.cli(["batch", "--timeout", "9s"], { stdin: "title", env: {} })).stdout).toBe(
      'title: "Home"\n',
    );
  });

  it.each(["", "&&", ";"])("says that commands want a bar between them, and not %j", async (between) => {
    const { stderr } = await project.cli(["chain", "url", between, "title"].filter(Boolean));
    expect(stderr).toMatch(
      /^Error: Unexpected argument ".*"\nHint: Put a bar between commands: browse chain 'url \| title'\n$/,
    );
  });

  it("runs command lines joined by bars, in order", async () => {
    expect(await project.run("chain", `goto ${site.url}/next | url | title`)).toBe(
      `goto: Navigated to ${site.url}/next (200)\nurl: ${site.url}/next\ntitle: "Next"`,
    );
  });

  it("runs JSON lists, with typed results", async () => {
    const steps = [
      ["goto", site.url],
      ["fill", "#city", "Porto | Lisbon"],
      ["value", "#city"],
      ["scroll", "--by", 5],
    ];
    const answer = await chain(JSON.stringify(steps));
    expect(answer).toMatchObject({ failed: 0, exitCode: 0 });
    expect(answer.steps.map(({ command, outcome }) => `${command} ${outcome}`)).toEqual([
      "goto ok",
      "fill ok",
      "value ok",
      "scroll ok",
    ]);
    expect(answer.steps[2]).toMatchObject({ text: "Porto | Lisbon", result: { value: "Porto | Lisbon" } });
  });

  it("prints each answer as its own flags say: into a file, as JSON, in part", async () => {
    const { steps } = await chain("url --out url.txt | title --json | title --offset 2 | title");
    const file = join(project.dir, "url.txt");
    expect(readFileSync(file, "utf8")).toBe(`${site.url}/\n`);
    const wrote = `Wrote ${site.url.length + 2} bytes to ${file}`;
    expect(steps.map(({ text }) => text)).toEqual([wrote, '{"title":"Home"}', 'ome"', '"Home"']);
  });

  it("takes quotes and escapes as a shell does, and text from standard input", async () => {
    await project.run("chain", `fill '#city' "a | \\"b\\" c" | press Tab`);
    expect(await project.run("value", "#city")).toBe('a | "b" c');
    const { stdout } = await project.cli(["chain", "-"], { stdin: "url | title" });
    expect(stdout).toBe(`url: ${site.url}/\ntitle: "Home"\n`);
  });

  it("stops at the first error, and names what ran and what did not", async () => {
    const answer = await chain("title | click '#nowhere' | click '#go' | title");
    expect(answer.failed).toBe(1);
    expect(answer.steps.map(({ outcome }) => outcome)).toEqual(["ok", "not_found", "not run", "not run"]);
    expect(await project.title()).toBe("Home");
    const { stdout } = await project.cli(["chain", "click '#nowhere' | title"]);
    expect(stdout).toMatch(/^click: Error: Nothing matches "#nowhere"\..*\ntitle: not run\n$/);
  });

  it("goes on after an error when asked to", async () => {
    const answer = await chain("click '#nowhere' | click '#go' | title", "--keep-going");
    expect(answer.steps.map(({ outcome }) => outcome)).toEqual(["not_found", "ok", "ok"]);
    expect(await project.title()).toBe("Pressed");
  });

  it("ends with an error code when a command failed", async () => {
    expect((await chain("title | click '#nowhere'")).exitCode).toBe(1);
    expect((await chain("click '#nowhere' | title", "--keep-going")).exitCode).toBe(1);
    expect((await chain(`title | goto ${site.url}/away`)).exitCode).toBe(4);
    expect((await chain(`click '#nowhere' | goto ${site.url}/away`, "--keep-going")).exitCode).toBe(1);
  });

  it.each([
    ["an unknown command", "click '#go' | dance", "unknown_command", "dance"],
    ["a wrong flag", "click '#go' | scroll --sideways", "invalid_params", "--sideways"],
    ["a missing argument", "click '#go' | fill '#city'", "invalid_params", "value"],
    ["a blocked address", "click '#go' | goto javascript:alert(1)", "blocked_url", "javascript:"],
    ["a blocked path", "click '#go' | screenshot /etc/a.png", "blocked_path", "/etc/a.png"],
    ["a blocked file for an answer", "click '#go' | url --out /etc/a.txt", "blocked_path", "/etc/a.txt"],
    ["a browser of its own", "click '#go' | url --proxy 127.0.0.1:9", "invalid_params", "--proxy"],
    ["a chain", "click '#go' | chain 'url | title'", "invalid_params", "A chain cannot hold another chain"],
    ["a chain in JSON", '[["click","#go"],["chain","url"]]', "invalid_params", "A chain cannot hold another chain"],
  ])("runs nothing at all when %s stands in it", async (_what, commands, kind, named) => {
    const refusal = await project.refusal("chain", commands);
    expect(refusal.kind).toBe(kind);
    expect(refusal.message).toContain(named);
    expect(await project.title()).toBe("Home");
  });

  it.each([
    ["nothing", ""],
    ["blanks", "  "],
    ["a bar too many", "url | | title"],
    ["a bar at the end", "url |"],
    ["an open quote", "fill '#city"],
    ["an empty list", "[]"],
    ["an empty step", "[[]]"],
    ["half a list", '[["url"'],
    ["steps that are no lists", '["url", "title"]'],
  ])("refuses %s", async (_what, commands) => {
    expect(await project.refusal("chain", "--", commands)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("takes 50 commands and no more", async () => {
    const of = (count: number) => Array.from({ length: count }, () => "url").join(" | ");
    expect((await chain(of(50))).steps).toHaveLength(50);
    const refusal = await project.refusal("chain", of(51));
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain("50");
  });

  it("passes each command through the whole gate: journaled, its secrets redacted", async () => {
    await project.run("chain", "fill '#city' hunter2-in-a-chain | press Tab");
    const journal = await project.journal();
    expect(journal).not.toContain("hunter2-in-a-chain");
    const commands = journal
      .trim()
      .split("\n")
      .slice(-4, -1)
      .map((line) => (JSON.parse(line) as { command: string }).command);
    expect(commands).toEqual(["fill", "press", "chain"]);
  });

  it("keeps to the tab and session it is given", async () => {
    const { id } = await project.json("newtab", `${site.url}/next`);
    const { tabs } = (await project.json("tabs")) as { tabs: { id: string }[] };
    const answer = await chain("title | title", "--tab", tabs[0]!.id);
    expect(answer.steps.map(({ text }) => text)).toEqual(['"Home"', '"Home"']);
    await project.run("closetab", String(id));
  });
});
