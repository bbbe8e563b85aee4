import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const FORM = `<!doctype html><title>Form</title>
<form onsubmit="event.preventDefault(); log('submit ' + new URLSearchParams(new FormData(this)))">
  <label>City <input name="city" value="Lisbon"></label>
  <label>Secret <input name="secret" type="password"></label>
  <label>Note <textarea name="note"></textarea></label>
  <label>Size <select name="size"><option value="s">Small</option><option value="m">Medium</option><option value="l" label="Large one">Big</option></select></label>
  <label>Colors <select name="colors" multiple><option>Red</option><option>Green</option><option>Blue</option></select></label>
  <label><input type="checkbox" name="gift"> Gift</label>
  <label><input type="radio" name="pay" value="card"> Card</label><label><input type="radio" name="pay" value="cash"> Cash</label>
  <label>Day <input type="date" name="day"></label>
  <label>Amount <input type="range" name="amount" min="0" max="10" value="0"></label>
  <label>Paint <input type="color" name="paint"></label>
  <button>Send</button>
</form>
<div contenteditable role="textbox" aria-label="Story">Once</div>
<pre id="log"></pre>
<script>
  function log(text) { document.getElementById("log").textContent += text + "\\n"; }
  for (const type of ["input", "change"])
    document.addEventListener(type, (event) => log(type + " " + (event.target.name ?? "story")));
</script>`;

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

/** A field as React controls it: the DOM's value is set back unless the framework's tracker saw an input event. */
const CONTROLLED = `<!doctype html><title>Controlled</title>
<label>Name <input id="name"></label><p id="state"></p>
<label>Strict <input id="strict"></label><p id="verdict"></p>
<script>
  const field = document.getElementById("name");
  const prototype = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  let tracked = "", state = "";
  Object.defineProperty(field, "value", {
    get() { return prototype.get.call(this); },
    set(value) { tracked = String(value); prototype.set.call(this, value); },
  });
  field.addEventListener("input", () => {
    const now = prototype.get.call(field);
    if (now === tracked) return;
    tracked = state = now;
    document.getElementById("state").textContent = "state " + state;
  });
  document.getElementById("strict").addEventListener("change", (event) => {
    document.getElementById("verdict").textContent = "validated " + event.target.value;
  });
</script>`;

const LISTBOX = `<!doctype html><title>Listbox</title>
<button id="box" role="combobox" aria-label="Fruit" aria-expanded="false" aria-controls="list"
  onclick="list.hidden = false; this.setAttribute('aria-expanded', 'true')">Choose</button>
<ul id="list" role="listbox" hidden>
  <li role="option" onclick="choose(this)">Apple</li><li role="option" onclick="choose(this)">Pear</li>
</ul>
<script>function choose(option) { box.textContent = option.textContent; list.hidden = true; box.setAttribute('aria-expanded', 'false'); }</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/form": FORM,
    "/buttons": BUTTONS,
    "/controlled": CONTROLLED,
    "/listbox": LISTBOX,
    "/other": "<!doctype html><title>Other</title>",
    "/long": `<!doctype html><title>Long</title><div style="height:5000px">Long</div>`,
    "/feed": `<!doctype html><title>Feed</title><div style="height:2000px">Start</div><script>
      let pages = 0;
      addEventListener("scroll", () => {
        if (pages < 3 && innerHeight + scrollY >= document.documentElement.scrollHeight - 10)
          document.body.append(Object.assign(document.createElement("div"), {textContent: "Part " + ++pages, style: "height:1000px"}));
      });</script>`,
  });
  project = new Project();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function log(): Promise<string> {
  return await project.run("text", "#log");
}

describe("a form", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/form`);
  });

  it("is filled, chosen from, checked and sent", async () => {
    await project.run("fill", "[name=city]", "Porto");
    await project.run("fill", "[name=note]", "two\nlines");
    await project.run("select", "[name=size]", "l");
    await project.run("check", "[name=gift]");
    await project.run("check", "[value=cash]");
    expect(await project.run("click", "text=Send")).toMatch(/^Clicked @e\d+ \[button\] "Send" → \d+ nodes? changed$/);
    expect(await log()).toContain("submit city=Porto&secret=&note=two%0Alines&size=l&gift=on&pay=cash");
  });

  it("sees input and change events of every filled field", async () => {
    await project.run("fill", "[name=city]", "Porto");
    await project.run("fill", "[name=note]", "text");
    await project.run("fill", "[role=textbox]", "Twice");
    await project.run("select", "[name=size]", "Medium");
    expect((await log()).split("\n")).toEqual(
      expect.arrayContaining([
        "input city",
        "change city",
        "input note",
        "change note",
        "input story",
        "input size",
        "change size",
      ]),
    );
    expect(await project.run("text", "[role=textbox]")).toBe("Twice");
  });

  it("is cleared by an empty value", async () => {
    await project.run("fill", "[name=city]", "");
    expect(await project.run("value", "[name=city]")).toBe("");
  });

  it.each([
    ["by value", "m"],
    ["by label", "Medium"],
    ["by label attribute", "Large one"],
    ["by text", "Big"],
  ])("has options selected %s", async (_how, wanted) => {
    expect(await project.run("select", "[name=size]", wanted)).toMatch(/^Selected "/);
    expect(await project.run("value", "[name=size]")).toBe(wanted === "m" || wanted === "Medium" ? "m" : "l");
  });

  it("has several options selected, and exactly those", async () => {
    expect(await project.json("select", "[name=colors]", "Red", "Blue")).toMatchObject({ selected: ["Red", "Blue"] });
    expect(await project.run("value", "[name=colors]")).toBe("Red\nBlue");
    await project.run("select", "[name=colors]", "Green");
    expect(await project.run("value", "[name=colors]")).toBe("Green");
  });

  it("names the options there are when none fits", async () => {
    const refusal = await project.refusal("select", "[name=size]", "Huge");
    expect(refusal.kind).toBe("not_found");
    expect(`${refusal.message} ${refusal.hint}`).toContain("Medium");
    expect(await project.refusal("select", "[name=size]")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.run("value", "[name=size]")).toBe("s");
  });

  it("takes a click on an option as choosing it", async () => {
    await project.run("click", "option[value=m]");
    expect(await project.run("value", "[name=size]")).toBe("m");
    expect(await log()).toContain("change size");
    await project.run("click", await project.ref('[option] "Large one"'));
    expect(await project.run("value", "[name=size]")).toBe("l");
  });

  it("takes dates, amounts and colors", async () => {
    await project.run("fill", "[name=day]", "2027-03-04");
    await project.run("fill", "[name=amount]", "7");
    await project.run("fill", "[name=paint]", "#ff8800");
    expect(await project.run("value", "[name=day]")).toBe("2027-03-04");
    expect(await project.run("value", "[name=amount]")).toBe("7");
    expect(await project.run("value", "[name=paint]")).toBe("#ff8800");
    expect(await project.refusal("fill", "[name=day]", "tomorrow")).toMatchObject({ kind: "invalid_params" });
  });

  it("is checked once, however often that is asked", async () => {
    await project.run("check", "[name=gift]");
    await project.run("check", "[name=gift]");
    expect(await project.run("is", "checked", "[name=gift]")).toBe("true");
    await project.run("uncheck", "[name=gift]");
    expect(await project.run("is", "checked", "[name=gift]")).toBe("false");
    expect(await project.refusal("check", "[name=city]")).toMatchObject({ exitCode: expect.any(Number) });
  });

  it("never has a secret echoed or journaled", async () => {
    const answer = await project.cli(["fill", "[name=secret]", "hunter2-the-secret"]);
    expect(answer.exitCode).toBe(0);
    expect(answer.stdout + answer.stderr).not.toContain("hunter2");
    await project.run("focus", "[name=secret]");
    expect(await project.run("type", "more-hunter2")).toMatch(/^Typed 12 characters/);
    expect(await project.run("js", "document.querySelector('[name=secret]').value.length")).not.toBe("0");
    expect(await project.journal()).not.toContain("hunter2");
  });

  it("takes a value from standard input", async () => {
    await project.cli(["fill", "[name=note]", "-"], { stdin: "from a pipe" });
    expect(await project.run("value", "[name=note]")).toBe("from a pipe");
  });

  it("is refused to be filled where that means nothing", async () => {
    expect(await project.refusal("fill", "text=Send", "x")).toMatchObject({ exitCode: expect.any(Number) });
    expect(await project.refusal("fill", "[name=city]")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});

describe("fields that a framework watches", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/controlled`);
  });

  it("tell a controlled input's framework", async () => {
    await project.run("fill", "#name", "Ann");
    expect(await project.run("text", "#state")).toBe("state Ann");
  });

  it("tell a validator that listens for change only", async () => {
    await project.run("fill", "#strict", "Bob");
    expect(await project.run("text", "#verdict")).toBe("validated Bob");
  });

  it("choose from a list that is no native one", async () => {
    await project.run("goto", `${site.url}/listbox`);
    expect(await project.run("select", "#box", "Pear")).toContain('Selected "Pear"');
    expect(await project.run("text", "#box")).toBe("Pear");
  });
});

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
    expect(await project.run("click", "#idle", "--new-tab")).toContain(", which opened no tab → nothing changed");
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
    expect(await project.run("scroll", "--to", "top")).toMatch(/^Scrolled -\d+ px, at the end/);
    const { movedBy } = await project.json("scroll");
    expect(movedBy).toBeGreaterThan(300);
    expect(await project.run("js", "scrollY")).toBe(String(movedBy));
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
