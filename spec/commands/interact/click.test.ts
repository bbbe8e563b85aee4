import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const BUTTONS = `<!doctype html><title>Buttons</title>
<button id="idle">Idle</button>
<button id="off" disabled>Off</button>
<button id="hidden" style="display:none">Hidden</button>
<div style="position:relative"><button id="under">Under</button>
  <div id="veil" role="dialog" aria-label="Cookie banner" style="position:absolute;inset:0;background:#fff">Veil</div></div>
<button id="twice" ondblclick="log('double')">Twice</button>
<button id="menu" oncontextmenu="event.preventDefault(); log('menu')">Menu</button>
<button id="chord" onclick="log('shift ' + event.shiftKey + ' control ' + event.ctrlKey)">Chord</button>
<button id="remove" onclick="this.remove()">Remove me</button>
<a id="link" href="/other">Other</a>
<a id="far" style="position:absolute;top:4000px" href="/other">Far</a>
<div id="pane" style="height:100px;overflow:auto"><div style="height:1000px">Top of the pane<button id="deep" style="position:absolute;margin-top:800px" onclick="log('deep')">Deep</button></div></div>
<pre id="log"></pre>
<script>function log(text) { document.getElementById("log").textContent += text + "\\n"; }</script>`;

let site: Site;
let project: Project;
/** Not answered yet. */
const lateFiles: ServerResponse[] = [];

beforeAll(async () => {
  site = await Site.serve({
    "/buttons": BUTTONS,
    "/other": "<!doctype html><title>Other</title>",
    "/files": `<!doctype html><title>Files</title><a href=/list.csv download>List</a>
      <a href=/late.csv download>Late</a> <a href=/silent download>Silent</a>`,
    "/late.csv": (_request, response) => void lateFiles.push(response),
    "/list.csv": (_request, response) => {
      response.writeHead(200, { "content-type": "text/csv" }).write("a,b\n");
      setTimeout(() => response.end("1,2\n"), 200);
    },
    "/pops": `<!doctype html><title>Pops</title><button onclick="window.open('/silent')">Silent</button>
      <a href=mailto:a@example.com target=_blank>Mail</a><a href=tel:+15550100>Call</a>
      <button onclick="location = 'slack://open?token=tok-secret-4711'">Chat</button>`,
    "/silent": () => undefined,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function log(): Promise<string> {
  return await project.run("text", "#log");
}

describe("click", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/buttons`);
  });

  it("refuses at once what is hidden, disabled or covered, and names what is in the way", async () => {
    expect(await project.refusal("click", "#hidden")).toMatchObject({ kind: "not_visible", exitCode: 1 });
    expect(await project.refusal("click", "#off")).toMatchObject({ kind: "disabled", exitCode: 1 });
    const covered = await project.refusal("click", "#under");
    expect(covered).toMatchObject({ kind: "covered", exitCode: 1, cover: { role: "dialog", name: "Cookie banner" } });
    expect(covered.message).toContain("Cookie banner");
    const { ref } = covered.cover as { ref: string };
    expect(covered.message).toContain(`is covered by ${ref} [dialog]`);
    expect(await project.run("attrs", ref)).toContain("veil");
  });

  it("says which element took the place of one that was replaced, and leaves it alone", async () => {
    const ref = await project.ref('"Idle"', "-i");
    await project.run("js", "idle.outerHTML = idle.outerHTML; idle.onclick = () => log('pressed'); 0");
    const refusal = await project.refusal("click", ref);
    expect(refusal).toMatchObject({ kind: "stale_ref", exitCode: 1, replacement: expect.stringMatching(/^@e\d+$/) });
    expect(refusal.message).toContain(`${ref} [button] "Idle" is gone: it was removed from the page`);
    expect(refusal.hint).toContain(String(refusal.replacement));
    expect(await log()).toBe("");
    await project.run("click", String(refusal.replacement));
    expect(await log()).toBe("pressed");
  });

  it("says that nothing matches, or what a bare ref should be written as", async () => {
    expect(await project.refusal("click", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect((await project.refusal("click", "e3")).hint).toContain("@e3");
    expect(await project.refusal("click")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("takes the forms of a selector that speak of what a person sees", async () => {
    await project.run("click", 'role=button[name="Idle"]');
    await project.run("click", "text=Idle");
    expect(await project.run("is", "focused", "#idle")).toBe("true");
  });

  it("presses twice, with the other button, and with keys held", async () => {
    await project.run("click", "#twice", "--double");
    await project.run("click", "#menu", "--right");
    await project.run("click", "#chord", "--modifiers", "Shift", "--modifiers", "Control");
    expect(await log()).toBe("double\nmenu\nshift true control true");
  });

  it("opens a link in a new tab when asked to", async () => {
    const { effect } = await project.json("click", "#link", "--new-tab");
    expect(effect).toMatchObject({ opened: [expect.stringMatching(/^t\d+$/)] });
    expect(await project.run("url")).toBe(`${site.url}/buttons`);
    expect(await project.run("click", "#idle", "--new-tab")).toMatch(
      /, which opened no tab → no change within \d+ ms$/,
    );
  });

  it("scrolls to what is far away, in the page and in a pane", async () => {
    await project.run("click", "#deep");
    expect(await log()).toBe("deep");
    expect(await project.run("click", "#far")).toContain(`→ navigated to ${site.url}/other`);
  });

  it("never presses the successor of a removed element", async () => {
    const ref = await project.ref('"Remove me"', "-i");
    await project.run("click", ref);
    expect(await project.refusal("click", ref)).toMatchObject({ kind: "stale_ref" });
  });

  it("tells which modifiers there are", async () => {
    const refusal = await project.refusal("click", "#idle", "--modifiers", "Hyper");
    expect(refusal).toMatchObject({ flag: "--modifiers", exitCode: 2 });
    expect(refusal.message).toContain("Alt, Control, Meta, Shift");
  });
});

describe("a click that downloads", () => {
  it("is told with the file's path", async () => {
    await project.run("goto", `${site.url}/files`);
    expect(await project.run("click", "text=List")).toMatch(/→ download "list\.csv" \(\/.*list\.csv\)/);
  });
});

describe("a click on a file that does not come at once", () => {
  beforeEach(async () => void (await project.run("goto", `${site.url}/files`)));

  it("says that it is asked for, and the next answer that it has come", async () => {
    expect(await project.run("click", "text=Late")).toMatch(
      `→ a download of ${site.url}/late.csv is asked for (not begun yet)`,
    );
    expect(await project.json("stop-loading")).toMatchObject({ downloading: [`${site.url}/late.csv`] });
    for (const response of lateFiles.splice(0)) response.writeHead(200, { "content-type": "text/csv" }).end("a,b\n");
    await expect
      .poll(() => project.run("events", "download", "--history", "--for", "200ms"))
      .toContain("finished name=late.csv");
    expect(await project.run("stop-loading")).toMatch(/^Nothing was loading.*before that.*download "late\.csv" \(\//);
    expect(await project.run("reload")).not.toContain("late.csv");
  });

  it.each([["goto", "about:blank"], ["reload"], ["closetab"]])(
    "says that it is lost with its page: %s",
    async (...command) => {
      await project.run("newtab", `${site.url}/files`);
      await project.run("click", "text=Silent");
      expect(await project.run(...command)).toContain(
        `the download of ${site.url}/silent had not begun, and goes with its page`,
      );
    },
  );
});

describe("a click that asks for a tab", () => {
  it("says so when the tab is not there after a while", async () => {
    await project.run("goto", `${site.url}/pops`);
    expect(await project.run("click", "text=Silent")).toContain(
      `→ opening a tab for ${site.url}/silent (not there yet)`,
    );
  });

  it.each([
    ["text=Mail", "mailto:a@example.com"],
    ["text=Call", "tel:+15550100"],
    ["text=Chat", "slack://open"],
  ])("says that nothing was opened for %s", async (target, url) => {
    await project.run("goto", `${site.url}/pops`);
    expect(await project.run("click", target)).toMatch(
      /^Clicked @e\d+ \[\w+\] "\w+" → nothing was opened for (?!.*4711)[^;\n]*$/,
    );
    expect((await project.json("click", target)).effect).toEqual({ notOpened: [expect.stringContaining(url)] });
    expect(await project.run("tabs")).not.toContain(url);
    expect(await project.run("url")).toBe(`${site.url}/pops`);
  });
});
