import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
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
