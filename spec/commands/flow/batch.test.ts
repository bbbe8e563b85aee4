import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

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

/** Flags of ours stand before the name where all that follows belongs to another command. */
async function json<T>(argv: readonly string[], stdin?: string): Promise<T & { exitCode: number }> {
  const { stdout, stderr, exitCode } = await project.cli(["--json", ...argv], stdin === undefined ? {} : { stdin });
  if (stdout === "") throw new Error(stderr);
  return { ...(JSON.parse(stdout) as T), exitCode };
}

async function refusal(argv: readonly string[], stdin?: string) {
  const { stderr, exitCode } = await project.cli(["--json", ...argv], stdin === undefined ? {} : { stdin });
  return { ...(JSON.parse(stderr) as { error: { kind: string; message: string } }).error, exitCode };
}

async function tabs(): Promise<{ id: string; current: boolean }[]> {
  return ((await project.json("tabs")) as { tabs: { id: string; current: boolean }[] }).tabs;
}

describe("tab-each", () => {
  it("runs a command in every tab, one line of JSON each, and leaves the current tab current", async () => {
    await project.run("newtab", `${site.url}/next`);
    const before = await tabs();
    await project.run("tab", before[0]!.id);
    const lines = (await project.run("tab-each", "title")).split("\n").map((line) => JSON.parse(line) as Step);
    expect(lines.map(({ tab, command, outcome, result }) => [tab, command, outcome, result])).toEqual([
      [before[0]!.id, "title", "ok", { title: "Home" }],
      [before[1]!.id, "title", "ok", { title: "Next" }],
    ]);
    expect((await tabs()).map(({ current }) => current)).toEqual([true, false]);
  });

  it("passes flags on, and goes on where one tab fails", async () => {
    await project.run("newtab", `${site.url}/next`);
    const click = ["tab-each", "click", "#go", "--modifiers=Shift"];
    const { tabs: steps, failed, exitCode } = await json<{ tabs: Step[]; failed: number }>(click);
    expect(steps.map(({ outcome }) => outcome)).toEqual(["ok", "not_found"]);
    expect({ failed, exitCode }).toEqual({ failed: 1, exitCode: 1 });
    const { tabs: values } = await json<{ tabs: Step[] }>(["tab-each", "find", "Next", "--context", "0"]);
    expect(values[1]?.text).toContain("Next");
  });

  it.each([
    ["an unknown command", ["dance"], "unknown_command", "dance"],
    ["a wrong flag", ["scroll", "--sideways"], "invalid_params", "--sideways"],
    ["a blocked address", ["goto", "javascript:alert(1)"], "blocked_url", "javascript:"],
    ["a blocked path", ["screenshot", "/etc/a.png"], "blocked_path", "/etc/a.png"],
    ["a command without a tab", ["tabs"], "invalid_params", "does not work on a tab"],
    ["a chain", ["chain", "click '#go'"], "invalid_params", "cannot hold a chain"],
    ["itself", ["tab-each", "click", "#go"], "invalid_params", "cannot hold another tab-each"],
    ["another tab", ["click", "#go", "--tab", "t1"], "invalid_params", "--tab is given twice"],
    ["another session", ["click", "#go", "--session", "x"], "invalid_params", "--session"],
    ["one file for the answers of all", ["title", "--out", "a.txt"], "invalid_params", "--out stands before tab-each"],
    ["nothing", [], "invalid_params", "command"],
  ])("runs nowhere at all with %s", async (_what, command, kind, named) => {
    const refused = await refusal(["tab-each", ...command]);
    expect(refused.kind).toBe(kind);
    expect(refused.message).toContain(named);
    expect(await project.run("title")).toBe("Home");
  });

  it("says so when no tab is open", async () => {
    await project.run("closetab");
    expect(await refusal(["tab-each", "title"])).toMatchObject({ kind: "tab_gone" });
  });

  it("keeps what it was given out of the journal, and each call in it", async () => {
    await project.run("tab-each", "fill", "#city", "hunter2-in-each");
    const journal = await project.journal();
    expect(journal).not.toContain("hunter2-in-each");
    expect(journal).toContain('"command":"fill"');
  });
});

describe("batch", () => {
  it("runs the lines of a file, of standard input, and JSON", async () => {
    writeFileSync(
      join(project.dir, "look.txt"),
      "# what is here\n\n  title\r\nfill '#city' 'Porto # not a comment | or a bar'\nvalue '#city'\n",
    );
    expect(await project.run("batch", "look.txt")).toMatch(
      /^title: Home\nfill: .*\nvalue: Porto # not a comment \| or a bar$/,
    );
    const { stdout } = await project.cli(["batch", "-"], { stdin: "url\ntitle\n" });
    expect(stdout).toBe(`url: ${site.url}/\ntitle: Home\n`);
    const { steps } = await json<Steps>(["batch", "-"], '[["title"], ["count", "li"]]');
    expect(steps.map(({ result }) => result)).toEqual([{ title: "Home" }, { count: 1 }]);
  });

  it("stops no command for another that fails", async () => {
    const answer = await json<Steps>(["batch", "-"], "click '#nowhere'\nclick '#go'\ntitle\n");
    expect(answer.steps.map(({ outcome, text }) => (outcome === "ok" ? text : outcome))).toEqual([
      "not_found",
      expect.stringContaining("Clicked"),
      "Pressed",
    ]);
    expect(answer).toMatchObject({ failed: 1, exitCode: 1 });
  });

  it("keeps the order of a tab that some lines name and others mean as the current one", async () => {
    const id = (await tabs()).find(({ current }) => current)?.id;
    const add = (letter: string) => `js "await new Promise(requestAnimationFrame), document.title += '${letter}'"`;
    const lines = [add("a"), add("b"), `${add("c")} --tab ${id}`, add("d"), "title"];
    const { steps } = await json<Steps>(["batch", "-"], lines.join("\n"));
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
    const answer = await json<Steps>(["batch", "-"], lines.join("\n"));
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
    expect(await refusal(["batch", `--commands=${text}`])).toMatchObject({ kind });
    expect(await project.run("title")).toBe("Home");
  });

  it("takes 50 commands, and files by the path policy only", async () => {
    const answer = await json<Steps>(["batch", "-"], "url\n".repeat(50));
    expect(answer.steps).toHaveLength(50);
    expect(await refusal(["batch", "/etc/hosts"])).toMatchObject({ kind: "blocked_path", exitCode: 4 });
    expect(await refusal(["batch", "missing.txt"])).toMatchObject({ kind: "not_found" });
    expect(await refusal(["batch"])).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});

describe("watch", () => {
  interface Watched {
    watching: boolean;
    looks: number;
    entries: { kind: string; url: string; changes?: { kind: string; line: string }[] }[];
  }

  /** Asks until the watch has told as much. */
  async function told(enough: (entries: Watched["entries"]) => boolean): Promise<Watched["entries"]> {
    const entries: Watched["entries"] = [];
    while (!enough(entries)) entries.push(...((await project.json("watch")) as unknown as Watched).entries);
    return entries;
  }

  it("tells what has changed since it was last told, then nothing, then the rest when it is stopped", async () => {
    expect(await project.run("watch", "--every", "200ms")).toContain("Watching every 200 ms");
    await project.run("js", "document.getElementById('list').innerHTML += '<li>Two</li>'");
    const entries = await told((all) => all.some(({ kind }) => kind === "changed"));
    expect(JSON.stringify(entries)).toContain("Two");
    expect(await project.run("watch")).toBe("Nothing has changed");
    expect(await project.run("watch", "stop")).toBe("Nothing has changed\nNo longer watching");
    expect(await project.refusal("watch", "stop")).toMatchObject({ kind: "not_found" });
  });

  it("looks when it is asked, and once more when it is stopped, however seldom it looks by itself", async () => {
    await project.run("watch", "--every", "1h");
    await project.run("js", "document.getElementById('list').innerHTML += '<li>Asked</li>'");
    expect(await project.run("watch")).toContain("Asked");
    expect(await project.run("watch")).toBe("Nothing has changed");
    await project.run("js", "document.getElementById('list').innerHTML += '<li>Last</li>'");
    expect(await project.run("watch", "stop")).toMatch(/Last[\s\S]*\nNo longer watching$/);
  });

  it("tells of another page, and of its changes from then on", async () => {
    await project.run("watch", "--every", "200ms");
    await project.run("goto", `${site.url}/next`);
    const [entry] = await told((all) => all.length > 0);
    expect(entry).toMatchObject({ kind: "elsewhere", url: `${site.url}/next` });
    await project.run("js", "document.querySelector('h1').textContent = 'Later'");
    const later = await told((all) => all.some(({ kind }) => kind === "changed"));
    expect(JSON.stringify(later)).toContain("Later");
    await project.run("watch", "stop");
  });

  it("does not disturb the page, its refs, or what `snapshot -D` compares with", async () => {
    const ref = await project.ref('"Go"', "-i");
    await project.run(
      "js",
      "window.mutations = 0; new MutationObserver((all) => mutations += all.length).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })",
    );
    await project.run("watch", "--every", "200ms");
    let looks = 0;
    while (looks < 3) looks = ((await project.json("watch")) as unknown as Watched).looks;
    expect((await project.json("js", "window.mutations")).value).toBe(0);
    expect(await project.run("snapshot", "-D", "-i")).toContain("unchanged");
    expect(await project.run("click", ref)).toContain("Clicked");
    await project.run("watch", "stop");
  });

  it("goes on behind a dialog, and with the tab ends", async () => {
    await project.run("dialog-policy", "ask");
    await project.run("watch", "--every", "200ms");
    await project.cli(["click", "#go"]);
    await project.cli(["js", "alert('Wait')"]);
    expect(await project.run("watch")).toMatch(/Nothing|changed/);
    await project.run("dialog-accept");
    await project.run("dialog-policy", "accept");
    await project.run("closetab");
    await project.run("newtab", site.url);
    expect(await project.refusal("watch", "stop")).toMatchObject({ kind: "not_found" });
  });

  it.each(["0", "1ms", "2h", "soon", "-1s"])("refuses to look every %s", async (every) => {
    const refused = await project.refusal("watch", `--every=${every}`);
    expect(refused).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refused.message).toContain("--every");
  });
});

describe("journal", () => {
  interface Entries {
    entries: {
      time: string;
      command: string;
      outcome: string;
      session?: string;
      tab?: string;
      params: Record<string, unknown>;
    }[];
  }

  it("shows the calls, the failed ones too, with their secrets redacted", async () => {
    await project.run("fill", "#city", "hunter2-typed");
    await project.cli(["click", "#nowhere"]);
    const { entries } = await json<Entries>(["journal", "--last", "2"]);
    expect(entries).toMatchObject([
      { command: "fill", outcome: "ok", session: "default", tab: expect.stringMatching(/^t\d+$/) },
      { command: "click", outcome: "not_found", params: { target: "#nowhere" } },
    ]);
    expect(await project.run("journal")).not.toContain("hunter2-typed");
  });

  it("shows those since a time, of a session, the newest so many", async () => {
    const { entries: all } = await json<Entries>(["journal", "--last", "10000"]);
    await project.run("title");
    const { entries: newer } = await json<Entries>(["journal", "--since", all.at(-1)!.time]);
    expect(newer.map(({ command }) => command)).toEqual(expect.arrayContaining(["title"]));
    expect(newer.length).toBeLessThan(all.length);
    await project.run("goto", site.url, "--session", "apart");
    const { entries: apart } = await json<Entries>(["journal", "--session", "apart"]);
    expect(apart.map(({ command, session }) => [command, session])).toEqual([["goto", "apart"]]);
    expect((await json<Entries>(["journal", "--since", "1h", "--last", "1"])).entries).toHaveLength(1);
    expect((await json<Entries>(["journal", "--since", "2100-01-01"])).entries).toEqual([]);
  });

  it("does without a browser, and refuses times that are none", async () => {
    await using fresh = new Project();
    expect(await fresh.run("journal", "--since", "1ms")).toBe("No calls");
    expect(await fresh.json("status")).toMatchObject({ browser: "none" });
    expect(await refusal(["journal", "--since", "yesterday"])).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await refusal(["journal", "--since", "2030-99-99"])).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await refusal(["journal", "--last", "0"])).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
