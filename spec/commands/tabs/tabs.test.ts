import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Home</title><a href='/popup' target='_blank'>Popup</a><button onclick='window.close()'>Close me</button>",
    "/bare": `<!doctype html><title>Bare</title><a href="/nothing">Here</a><a href="/led" target="_blank">Apart</a>
      <form action="/nothing" method="post"><button>Send</button></form><a href="/file" target="_blank">File</a>
      <a href="/popup" target="_blank">Popup</a><a href="http://127.0.0.1:1/" target="_blank">Dead</a>
      <button onclick="window.open('/popup').close()">Open and close</button><a href="/never">Slow</a>`,
    "/never": () => undefined,
    "/led": (_request, response) => response.writeHead(302, { location: "/nothing" }).end(),
    "/nothing": (_request, response) => response.writeHead(204).end(),
    "/file": (_request, response) =>
      response.writeHead(200, { "content-disposition": "attachment; filename=a.csv" }).end("a,b"),
    "/popup": "<!doctype html><title>Popup</title><h1>Popup</h1>",
    "/opener": `<!doctype html><title>Opener</title><button onclick="window.open('/popup', 'same', 'width=300,height=300')">Open</button>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface TabEntry {
  id: string;
  url: string;
  title?: string;
  current: boolean;
  crashed?: boolean;
}

/**
 * Ends the processes that the tabs of this project's own browser live in, the spare one too. Resolves once the browser
 * knows that they are gone, and gives none of them to a tab.
 */
async function killRenderers(): Promise<void> {
  const record = JSON.parse(readFileSync(join(project.stateDir, "browser.json"), "utf8")) as {
    browsers: [{ identity: { pid: number } }];
  };
  const group = String(record.browsers[0].identity.pid);
  const pids = execFileSync("pgrep", ["-g", group, "-f", "type=renderer"], { encoding: "utf8" });
  const killed = pids.trim().split("\n").map(Number);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  const timeout = 10_000;
  await expect.poll(() => killed.filter((pid) => existsSync(`/proc/${pid}`)), { timeout }).toEqual([]);
}

async function tabs(): Promise<TabEntry[]> {
  const answer = await project.json("tabs");
  return answer.tabs as TabEntry[];
}

/** One tab, on the home page. */
beforeEach(async () => {
  for (const { id } of await tabs()) await project.run("closetab", id);
  await project.run("goto", site.url);
});

describe("tabs", () => {
  it("are opened, listed, switched between and closed", async () => {
    const [first] = await tabs();
    const { id, url, status } = await project.json("newtab", `${site.url}/popup`);
    expect({ url, status }).toEqual({ url: `${site.url}/popup`, status: 200 });
    expect(await project.run("tabs")).toBe(`  ${first!.id} "Home" ${site.url}/\n* ${id} "Popup" ${site.url}/popup`);
    expect(await project.run("tab", first!.id)).toBe(`Now on ${first!.id} ${site.url}/`);
    expect(await project.title()).toBe("Home");
    expect(await project.run("closetab", String(id))).toBe(`Closed ${id}, now on ${first!.id}`);
    expect(await tabs()).toEqual([{ id: first!.id, url: `${site.url}/`, title: "Home", current: true }]);
  });

  it("never get the id of a closed one", async () => {
    const { id: closed } = await project.json("newtab");
    await project.run("closetab");
    const { id: next } = await project.json("newtab");
    expect(Number(String(next).slice(1))).toBeGreaterThan(Number(String(closed).slice(1)));
    expect(await project.refusal("tab", String(closed))).toMatchObject({ kind: "tab_gone", exitCode: 1 });
    const refusal = await project.refusal("url", "--tab", String(closed));
    expect(refusal).toMatchObject({ kind: "tab_gone" });
    expect(refusal.hint).toContain(String(next));
  });

  it("make the one opened before current when the current one is closed", async () => {
    const [first] = await tabs();
    const { id: second } = await project.json("newtab");
    const { id: third } = await project.json("newtab");
    expect(await project.run("closetab")).toBe(`Closed ${third}, now on ${second}`);
    expect(await project.run("closetab", first!.id)).toBe(`Closed ${first!.id}, now on ${second}`);
  });

  it("may be closed to the last; the next command opens a fresh one", async () => {
    const [only] = await tabs();
    expect(await project.run("closetab")).toBe(`Closed ${only!.id}, no tab is left`);
    expect(await project.run("tabs")).toBe("No tabs are open");
    expect(await project.refusal("closetab")).toMatchObject({ kind: "tab_gone" });
    expect(await project.run("url")).toBe("about:blank");
    expect(await tabs()).toHaveLength(1);
  });

  it("that a page opens are told, and do not become current", async () => {
    const [home] = await tabs();
    const { effect } = await project.json("click", "text=Popup");
    const { opened } = effect as { opened: [string] };
    expect(opened).toHaveLength(1);
    expect((await tabs()).find(({ current }) => current)?.id).toBe(home!.id);
    await project.run("wait", "--load", "--tab", opened[0]);
    expect(await project.title("--tab", opened[0])).toBe("Popup");
    await project.run("goto", `${site.url}/opener`);
    expect(await project.run("click", "button")).toMatch(/→ opened t\d+ http:\S+\/popup/);
  });

  it("that a page asks for in vain are not said to be on their way, and a load without a page is told", async () => {
    await project.run("goto", `${site.url}/bare`);
    const nothing = `${site.url}/nothing was answered with 204, which has nothing to show`;
    expect(await project.run("click", "text=Apart")).toMatch(`→ GET ${nothing}`);
    expect(await project.run("click", "text=Here")).toMatch(`→ GET ${nothing}`);
    expect(await project.run("click", "text=Send")).toMatch(`→ POST ${nothing}`);
    expect(await project.run("tabs")).toMatch(/^\* t\d+ "Bare" \S+$/);
    expect(await project.run("click", "text=Popup")).toMatch(
      /→ opened (t\d+) \S+\/popup \(`browse tab \1` goes there\)/,
    );
  });

  it.each([[], ["--new-tab"]])(
    "that a page opens for a file alone are closed again, and the file is told %j",
    async (...flags) => {
      await project.run("goto", `${site.url}/bare`);
      expect(await project.run("click", "text=File", ...flags)).toMatch(
        /^Clicked @e\d+ \[link\] "File" → download "a\.csv" \(\/\S+-a\.csv\)$/,
      );
      expect(await tabs()).toHaveLength(1);
    },
  );

  it("that could not be loaded, have closed again or are still on their way are told as that", async () => {
    await project.run("goto", `${site.url}/bare`);
    expect(await project.run("click", "text=Dead")).toMatch(/→ opened t\d+ http:\/\/127\.0\.0\.1:1\//);
    expect((await tabs()).at(-1)).toMatchObject({ failed: "http://127.0.0.1:1/" });
    expect(await project.run("click", "text=Open and close")).toContain("→ a tab opened and closed again");
    expect(await project.run("click", "text=Slow", "--new-tab")).toMatch(/→ opened t\d+ \S+\/never/);
    expect((await tabs()).at(-1)).toMatchObject({ url: "about:blank", loading: `${site.url}/never` });
    expect(await tabs()).toHaveLength(3);
  });

  it("are used by --tab without becoming current", async () => {
    const [home] = await tabs();
    const { id } = await project.json("newtab");
    await project.run("tab", home!.id);
    await project.run("goto", `${site.url}/popup`, "--tab", String(id));
    expect(await project.title()).toBe("Home");
    expect(await project.run("text", `--tab=${id}`)).toBe("Popup");
  });

  it("that close themselves say so in the effect", async () => {
    await project.run("click", "text=Popup");
    const popup = (await tabs()).find(({ url }) => url.endsWith("/popup"))!;
    await project.run(
      "js",
      "document.body.innerHTML = '<button onclick=\"window.close()\">Done</button>'",
      "--tab",
      popup.id,
    );
    expect(await project.run("click", "text=Done", "--tab", popup.id)).toContain("the tab closed");
    expect((await tabs()).map(({ id }) => id)).not.toContain(popup.id);
  });

  it.each([
    ["tab", "first"],
    ["tab", "t7x"],
    ["closetab", "t"],
    ["url", "--tab=popup"],
  ])("refuse the id in `%s %s`", async (...argv) => {
    const refusal = await project.refusal(...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain("a tab id such as t");
  });

  it("refuse addresses as goto does, and leave no tab behind", async () => {
    const before = await tabs();
    expect(await project.refusal("newtab", "javascript:alert(1)")).toMatchObject({ kind: "blocked_url", exitCode: 4 });
    expect(await tabs()).toEqual(before);
  });

  /** Ends the process of every page, and waits until the tab is known to have crashed. */
  async function crash(): Promise<TabEntry[]> {
    await project.run("wait", "--load");
    await killRenderers();
    let listed = await tabs();
    while (!listed[0]?.crashed) listed = await tabs();
    return listed;
  }

  it("is closed that --tab names, and what is left is told truly", async () => {
    const { id: first } = await project.json("newtab", `${site.url}/`);
    const { id: second } = await project.json("newtab", `${site.url}/`);
    expect(await project.json("closetab", "--tab", String(first))).toEqual({ closed: first, current: second });
    expect(await project.run("chain", `closetab --tab ${second}`)).toContain(`Closed ${second}`);
    expect((await tabs()).map(({ id }) => id)).not.toContain(second);
  });

  it("that have crashed are marked, and say how to bring them back", async () => {
    const [crashed] = await tabs();
    const { id } = crashed!;
    const { title: _, ...place } = crashed!;
    expect(await crash()).toEqual([{ ...place, crashed: true }]);
    expect(await project.run("tabs")).toBe(`* ${id} ${site.url}/ (crashed)`);
    for (const argv of [["text"], ["back"], ["wait", "--load"], ["click", "a"]]) {
      expect(await project.refusal(...argv)).toMatchObject({
        kind: "tab_gone",
        message: `Tab ${id} has crashed`,
        hint: `Run \`browse reload --tab ${id}\` or \`browse goto <url> --tab ${id}\`, which brings it back`,
      });
    }
    expect(await project.run("tab", id)).toBe(`Now on ${id} ${site.url}/ (crashed)`);
    expect(await project.run("reload", "--tab", id)).toBe(`Navigated to ${site.url}/ (200)`);
    expect(await project.title()).toBe("Home");
    expect(await tabs()).toEqual([crashed]);
  });

  it("that have crashed come back with their history, emulation and order", async () => {
    const [first] = await tabs();
    await project.run("goto", `${site.url}/opener`);
    await project.run("viewport", "500x400");
    await project.run("emulate", "--timezone", "Asia/Tokyo");
    await crash();
    expect(await project.run("goto", `${site.url}/popup`)).toBe(`Navigated to ${site.url}/popup (200)`);
    expect(await tabs()).toEqual([{ ...first, url: `${site.url}/popup`, title: "Popup" }]);
    const seen = "[innerWidth, innerHeight, Intl.DateTimeFormat().resolvedOptions().timeZone].join()";
    expect(await project.run("js", seen)).toBe("500,400,Asia/Tokyo");
    expect(await project.run("back")).toContain(`Navigated to ${site.url}/opener`);
    expect(await project.run("back")).toContain(`Navigated to ${site.url}/`);
    expect(await project.title()).toBe("Home");
    await project.run("emulate", "--reset");
  });

  it("that have crashed come back once, however many ask for it", async () => {
    const before = await tabs();
    await crash();
    const answers = await Promise.all([1, 2, 3].map(async () => await project.run("reload")));
    expect(answers).toEqual(answers.map(() => `Navigated to ${site.url}/ (200)`));
    expect(await tabs()).toEqual(before);
  });

  it("that have crashed show nothing of their page before it is loaded again", async () => {
    await crash();
    site.set("/never", () => undefined);
    expect(await project.refusal("goto", `${site.url}/never`, "--timeout", "5000")).toMatchObject({ kind: "timeout" });
    expect(await project.run("text")).toBe("This page has crashed, and has not been loaded again");
    await project.run("reload");
    expect(await project.title()).toBe("Home");
  });

  it("that have crashed take a document that a caller gives", async () => {
    const [tab] = await crash();
    await project.run("load-html", "--html", "<title>Given</title>");
    expect(await project.title()).toBe("Given");
    expect((await tabs())[0]?.id).toBe(tab!.id);
    await project.run("goto", site.url);
  });

  it("are needed by what presses or types: nothing is done to a blank one that nobody has opened", async () => {
    for (const argv of [["press", "Enter"], ["click", "text=Popup"], ["scroll"]]) {
      const refusal = await project.refusal(...argv, "--session", "bare");
      expect(refusal).toMatchObject({ kind: "tab_gone", message: 'No tab is open in the session "bare"' });
    }
    expect(await project.run("tabs", "--session", "bare")).toBe("No tabs are open");
    await project.run("load-html", "--html", "<button>Go</button>", "--session", "bare");
    expect(await project.run("click", "text=Go", "--session", "bare")).toContain("Clicked");
    await project.run("session", "close", "bare");
  });

  it("keep their refs apart", async () => {
    const ref = await project.ref('"Popup"', "-i");
    const { id } = await project.json("newtab", `${site.url}/opener`);
    await project.run("snapshot", "-i");
    await project.run("tab", (await tabs())[0]!.id);
    expect(await project.run("attrs", ref)).toContain('href="/popup"');
    await project.run("closetab", String(id));
  });
});
