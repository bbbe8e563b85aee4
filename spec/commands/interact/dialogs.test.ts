import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const BUTTONS = `<!doctype html><title>Dialogs</title>
<button id="alert" onclick="alert('Saved')">Alert</button>
<button id="confirm" onclick="log(confirm('Delete it?'))">Confirm</button>
<button id="prompt" onclick="log(prompt('Your name?', 'Nobody'))">Prompt</button>
<button id="huge" onclick="log(prompt('', 'x'.repeat(20_000)).length)">Huge</button>
<button id="both" onclick="log(confirm('One?') + ' ' + confirm('Two?'))">Both</button>
<button id="loud" onclick="alert('a “quoted” line\\nand another')">Loud</button>
<pre id="log"></pre><script>function log(value) { document.getElementById("log").textContent = String(value); }</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": BUTTONS,
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
    "/greets": `<!doctype html><title>Greets</title><script>alert("Welcome")</script><h1>After the dialog</h1>`,
    "/asks": `<!doctype html><title>Asks</title><script>document.title = confirm("Enter?") ? "In" : "Out"</script>`,
    "/nags": `<!doctype html><title>Nags</title><button>Here</button><script>setInterval(() => confirm("Again?"), 200)</script>`,
    "/loops": `<!doctype html><title>Loops</title><button onclick="for (;;) alert('More')">More</button>`,
    "/keeps": `<!doctype html><title>Keeps</title><a href="/next">Leave</a><input id="draft">
      <script>addEventListener("beforeunload", (event) => event.preventDefault())</script>`,
    "/framed": `<!doctype html><title>Framed</title><iframe srcdoc="<button onclick='alert(1)'>Inner</button>"></iframe>`,
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

describe("a dialog that an action opens", () => {
  beforeEach(async () => {
    await project.run("goto", site.url);
  });

  it("is accepted, and told in the effect", async () => {
    expect(await project.run("click", "#alert")).toMatch(
      /^Clicked @e\d+ \[button\] "Alert" → dialog: alert "Saved" \(accepted\)/,
    );
    const { effect } = await project.json("click", "#confirm");
    expect(effect).toMatchObject({
      dialogs: [{ type: "confirm", message: "Delete it?", outcome: "accepted" }],
    });
    expect(await log()).toBe("true");
  });

  it("is dismissed once when that was asked for, and the next one accepted again", async () => {
    expect(await project.run("dialog-dismiss")).toBe("No dialog is open: the next one will be dismissed");
    expect(await project.run("click", "#both")).toContain(
      'dialog: confirm "One?" (dismissed); dialog: confirm "Two?" (accepted)',
    );
    expect(await log()).toBe("false true");
  });

  it("has a prompt answered by its default, or by the text given for it", async () => {
    expect(await project.run("click", "#prompt")).toContain(
      'dialog: prompt "Your name?" (accepted, answered "Nobody")',
    );
    expect(await log()).toBe("Nobody");
    expect(await project.run("dialog-accept", "Ann Lee")).toBe("No dialog is open: the next one will be accepted");
    const { effect } = await project.json("click", "#prompt");
    expect(effect).toMatchObject({ dialogs: [{ type: "prompt", outcome: "accepted", answer: "Ann Lee" }] });
    expect(await log()).toBe("Ann Lee");
    await project.run("dialog-dismiss");
    await project.run("click", "#prompt");
    expect(await log()).toBe("null");
  });

  it("has a prompt answered with the beginning of its default: the browser ends itself over 100 MB of it", async () => {
    const { effect } = await project.json("click", "#huge");
    expect(effect).toMatchObject({ dialogs: [{ answer: "x".repeat(10_000) }] });
    expect(await log()).toBe("10000");
  });

  it("and that waits for its answer is told by that, and not once more by the next action", async () => {
    await project.run("dialog-policy", "ask");
    expect((await project.cli(["click", "#confirm"])).stderr).toContain('confirm "Delete it?"');
    await project.run("dialog-accept");
    expect(await project.run("click", "#log")).not.toContain("a dialog");
    await project.run("dialog-policy", "accept");
  });

  it("is told also when it stands in a frame", async () => {
    await project.run("goto", `${site.url}/framed`, "--wait", "load");
    expect(await project.run("click", await project.ref('"Inner"', "-i"))).toContain('dialog: alert "1" (accepted)');
  });
});

describe("a dialog while the page loads", () => {
  it("never hangs the navigation, and stands in its effect", async () => {
    const { status, effect } = await project.json("goto", `${site.url}/greets`);
    expect(status).toBe(200);
    expect(effect).toMatchObject({ dialogs: [{ type: "alert", message: "Welcome", outcome: "accepted" }] });
    expect(await project.run("text")).toBe("After the dialog");
    expect(await project.run("reload")).toContain('dialog: alert "Welcome" (accepted)');
    expect(await project.run("newtab", `${site.url}/greets`)).toMatch(
      /^Opened t\d+: Navigated to .*\/greets \(200\) → dialog: alert "Welcome" \(accepted\)$/,
    );
    await project.run("closetab");
  });

  it("is decided as asked for beforehand", async () => {
    await project.run("dialog-dismiss");
    await project.run("goto", `${site.url}/asks`);
    expect(await project.title()).toBe("Out");
    await project.run("reload");
    expect(await project.title()).toBe("In");
  });
});

describe("a page that keeps opening dialogs", () => {
  it("from one script that never ends is told as that, and can be closed", async () => {
    const { id } = (await project.json("newtab", `${site.url}/loops`)) as { id: string };
    const held = { kind: "dialog_open", hint: expect.stringContaining(`opens one after the other`) };
    expect(await project.refusal("click", "button")).toMatchObject(held);
    expect(await project.refusal("title")).toMatchObject(held);
    await project.run("dialog-accept");
    expect(await project.refusal("title")).toMatchObject(held);
    expect(await project.run("closetab")).toContain(`Closed ${id}`);
  });

  it("from timers has all of them answered", async () => {
    await project.run("newtab", `${site.url}/`);
    const code = "new Promise((done) => { let n = 0; setInterval(() => { alert(n); if (++n === 130) done(n) }) })";
    expect(await project.run("js", code, "--timeout", "60s")).toBe("130");
    await project.run("closetab");
  });

  it("can still be read, looked at and closed", async () => {
    await project.run("newtab", `${site.url}/nags`);
    expect(await project.run("snapshot", "-i")).toContain('[button] "Here"');
    expect(await project.run("text")).toContain("Here");
    expect(await project.run("screenshot", "--base64", "--viewport")).toMatch(/^iVBOR/);
    expect(await project.run("closetab")).toMatch(/^Closed t\d+/);
  });
});

describe("a page that asks whether to leave", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/keeps`);
    // Chromium asks only on pages that the person has touched.
    await project.run("click", "#draft");
  });

  it("is left by goto, back and reload, and they say that it asked", async () => {
    const { url, effect } = await project.json("goto", `${site.url}/next`);
    expect(url).toBe(`${site.url}/next`);
    expect(effect).toMatchObject({ dialogs: [{ type: "beforeunload", outcome: "accepted" }] });
    await project.run("back");
    await project.run("click", "#draft");
    expect(await project.run("reload")).toContain("dialog: beforeunload");
  });

  it("is left by a click on a link", async () => {
    const clicked = await project.run("click", "text=Leave");
    expect(clicked).toContain(`→ navigated to ${site.url}/next`);
    expect(clicked).toContain("dialog: beforeunload");
  });

  it("is stayed on when that was asked for", async () => {
    await project.run("dialog-dismiss");
    expect(await project.run("click", "text=Leave")).toContain('dialog: beforeunload "" (dismissed)');
    expect(await project.run("url")).toBe(`${site.url}/keeps`);
  });

  it.each([
    ["goto", ["/next"]],
    ["reload", []],
    ["back", []],
  ])("is stayed on by %s too, which says so", async (command, paths) => {
    await project.run("dialog-dismiss");
    const refusal = await project.refusal(command, ...paths.map((path) => `${site.url}${path}`), "--timeout", "5s");
    expect(refusal).toMatchObject({ kind: "navigation_failed", hint: expect.stringContaining("dialog-accept") });
    expect(refusal.message).toBe(
      `Cannot leave "${site.url}/keeps": the page asked to stay, and its dialog was dismissed`,
    );
    expect(await project.run("url")).toBe(`${site.url}/keeps`);
  });

  it("does not keep its tab from being closed", async () => {
    await project.run("newtab", `${site.url}/keeps`);
    await project.run("click", "#draft");
    expect(await project.run("closetab")).toMatch(/^Closed t\d+, now on t\d+\ndialog: beforeunload "" \(accepted\)$/);
  });
});

describe("`dialog`", () => {
  it("shows what became of each, with ids that go on after --clear", async () => {
    await project.run("newtab", site.url);
    expect(await project.run("dialog")).toBe("No dialogs");
    await project.run("click", "#loud");
    await project.run("click", "#confirm");
    const { dialogs } = await project.json("dialog");
    expect(dialogs).toMatchObject([
      { id: 1, type: "alert", message: "a “quoted” line\nand another", outcome: "accepted" },
      { id: 2, type: "confirm", message: "Delete it?", outcome: "accepted" },
    ]);
    expect(await project.run("dialog", "--clear")).toMatch(
      /^#1 dialog: alert "a “quoted” line\\nand another" \(accepted\)\n#2 dialog: confirm "Delete it\?" \(accepted\)$/,
    );
    expect(await project.run("dialog")).toBe("No dialogs");
    await project.run("click", "#confirm");
    expect(await project.json("dialog")).toMatchObject({ dialogs: [{ id: 3 }] });
    await project.run("closetab");
  });
});
