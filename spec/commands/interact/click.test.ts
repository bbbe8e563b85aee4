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
<button id="over" onmouseover="log('hovered')">Over</button>
<button id="remove" onclick="this.remove()">Remove me</button>
<a id="link" href="/other">Other</a>
<a id="far" style="position:absolute;top:4000px" href="/other">Far</a>
<div id="pane" style="height:100px;overflow:auto"><div style="height:1000px">Top of the pane<button id="deep" style="position:absolute;margin-top:800px" onclick="log('deep')">Deep</button></div></div>
<input id="field" aria-label="Field" onkeydown="log('key ' + event.key + (event.shiftKey ? ' shift' : ''))">
<pre id="log"></pre>
<script>function log(text) { document.getElementById("log").textContent += text + "\\n"; }</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/buttons": BUTTONS,
    "/other": "<!doctype html><title>Other</title>",
    "/long": `<!doctype html><title>Long</title><div style="height:5000px">Long</div>`,
    "/growing": `<!doctype html><title>Growing</title><ul id="list" style="height:200px;overflow:auto"></ul><script>
      const add = () => { for (let n = 0; n < 20; n++) list.insertAdjacentHTML("beforeend", "<li>" + (list.children.length + 1)); };
      let isLoading = false;
      list.onscroll = () => {
        if (isLoading || list.children.length >= 60 || list.scrollTop + list.clientHeight < list.scrollHeight - 10) return;
        isLoading = true;
        setTimeout(() => { isLoading = false; add(); }, 120);
      };
      add();</script>`,
    "/feed": `<!doctype html><title>Feed</title><div style="height:2000px">Start</div><script>
      let pages = 0;
      addEventListener("scroll", () => {
        if (pages < 3 && innerHeight + scrollY >= document.documentElement.scrollHeight - 10)
          document.body.append(Object.assign(document.createElement("div"), {textContent: "Part " + ++pages, style: "height:1000px"}));
      });</script>`,
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

describe("the mouse and the keyboard", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/buttons`);
  });

  it("hover over an element", async () => {
    expect(await project.run("hover", "#over")).toMatch(/^Hovered @e\d+ \[button\] "Over"/);
    expect(await log()).toBe("hovered");
  });

  it("type where the focus is", async () => {
    await project.run("focus", "#field");
    expect(await project.run("type", "Hi", "there")).toMatch(/^Typed 8 characters/);
    expect(await project.run("value", "#field")).toBe("Hi there");
    expect(await log()).toContain("key H");
  });

  it("press keys and chords", async () => {
    await project.run("focus", "#field");
    await project.run("type", "words");
    await project.run("press", "Control+A");
    await project.run("press", "Delete");
    expect(await project.run("value", "#field")).toBe("");
    await project.run("press", "Shift+Enter");
    expect(await log()).toContain("key Enter shift");
  });

  it("suggest the right name of a key", async () => {
    expect(await project.refusal("press", "Entr")).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("Enter"),
    });
    expect(await project.refusal("press", "ctrl+a")).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("Control"),
    });
  });
});

describe("scroll", () => {
  it("moves the page, to its ends and back, and says how far", async () => {
    await project.run("goto", `${site.url}/long`);
    expect(await project.json("scroll", "--by", "300")).toMatchObject({ movedBy: 300, atEnd: false });
    expect(await project.json("scroll", "--by=-100")).toMatchObject({ movedBy: -100 });
    expect(await project.json("scroll", "--to", "bottom")).toMatchObject({ atEnd: true });
    expect(await project.run("scroll", "--to", "top")).toMatch(/^Scrolled -\d+ px, at the top/);
    const { movedBy } = await project.json("scroll");
    expect(movedBy).toBeGreaterThan(300);
    expect(await project.run("js", "scrollY")).toBe(String(movedBy));
  });

  it("goes on through a list that grows by a timer, and says that it is at the end only when nothing comes", async () => {
    await project.run("goto", `${site.url}/growing`);
    expect(await project.run("scroll", "#list", "--to", "bottom")).toMatch(
      /, now \d+ px from the top → \d+ nodes changed$/m,
    );
    const end = await project.run("scroll", "#list", "--to", "bottom", "--times", "10");
    expect(end).toMatch(/, at the end → \d+ nodes changed$/m);
    expect(await project.run("js", "list.children.length")).toBe("60");
  });

  it("brings an element into view, or scrolls within it", async () => {
    await project.run("goto", `${site.url}/buttons`);
    await project.run("scroll", "#far");
    expect(await project.run("js", "scrollY > 1000")).toBe("true");
    await project.run("scroll", "#pane", "--by", "50");
    expect(await project.run("js", "pane.scrollTop")).toBe("50");
  });

  it("goes on for pages that load more", async () => {
    await project.run("goto", `${site.url}/feed`);
    await project.run("scroll", "--to", "bottom", "--times", "6");
    expect(await project.run("text")).toContain("Part 3");
  });

  it("tells what its flags accept", async () => {
    expect(await project.refusal("scroll", "--to", "left")).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("top, bottom"),
    });
    expect(await project.refusal("scroll", "--by", "10", "--to", "bottom")).toMatchObject({
      exitCode: 2,
      message: '"scroll" takes --by or --to, not both',
    });
    expect(await project.refusal("scroll", "--by", "far")).toMatchObject({ flag: "--by", exitCode: 2 });
    expect(await project.refusal("scroll", "--times", "0")).toMatchObject({
      exitCode: 2,
      message: "--times must be at least 1, not 0",
    });
  });
});

describe("viewport", () => {
  it("tells and sets its size", async () => {
    await project.run("goto", `${site.url}/long`);
    expect(await project.run("viewport")).toBe("1280x720");
    expect(await project.run("viewport", "800x600")).toBe("800x600");
    expect(await project.run("js", "[innerWidth, innerHeight].join('x')")).toBe("800x600");
  });

  it.each(["800", "0x100", "wide", "99999x1"])("refuses the size %s", async (size) => {
    const refusal = await project.refusal("viewport", size);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
