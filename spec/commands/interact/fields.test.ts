/** Fields as forms and frameworks have them: filled, chosen from and checked. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

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

/** A box that shows its new state when the server has answered. */
const SAVED = `<!doctype html><title>Saved</title>
<label>Name <input name="name"></label>
<div role="checkbox" aria-checked="false" aria-label="Alerts" tabindex="0" onclick="toggle(this)">Alerts</div>
<script>async function toggle(box) {
  await fetch("/save", { method: "POST" });
  box.setAttribute("aria-checked", box.getAttribute("aria-checked") === "false");
}</script>`;

let site: Site;
/** Those to `/save` that wait for their answer. */
let saving: ServerResponse[] = [];
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/form": FORM,
    "/controlled": CONTROLLED,
    "/listbox": LISTBOX,
    "/saved": SAVED,
    "/save": (_request, response) => saving.push(response),
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
    expect(await project.run("click", "text=Send")).toMatch(/^Clicked @e\d+ \[button\] "Send" → \d+ nodes? changed$/m);
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

  it("is not filled by halves where a target has a name that no member can have", async () => {
    const fields = '{"label=City": "Porto", "constructor": "x"}';
    expect(await project.refusal("fill-form", fields)).toMatchObject({
      kind: "invalid_params",
      message: 'No member can be called "constructor"',
    });
    expect(await project.run("value", "label=City")).not.toBe("Porto");
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
    expect(await project.run("type", "more-hunter2")).toMatch(/^Typed 12 characters/m);
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

describe("a box whose state comes with an answer", () => {
  beforeEach(async () => {
    saving = [];
    await project.run("goto", `${site.url}/saved`);
  });

  async function answer(): Promise<void> {
    for (const response of saving) response.end();
    await project.run("wait", "[aria-checked=true]");
  }

  it("is not told to refuse while the request is not answered", async () => {
    const refusal = await project.refusal("check", "role=checkbox");
    expect(refusal).toMatchObject({
      kind: "outcome_unknown",
      message: expect.stringMatching(
        /"Alerts" was pressed but is still not checked, and POST \S+\/save is not answered yet$/,
      ),
      hint: expect.stringContaining("Do not press it again"),
    });
    await answer();
    expect(saving).toHaveLength(1);
    expect(await project.run("check", "role=checkbox")).toContain("is checked already");
    expect(saving).toHaveLength(1);
  });

  it("is a part of a form of which what was filled before is told by name", async () => {
    const refusal = await project.refusal("fill-form", '{"label=Name": "Ann", "role=checkbox": true}');
    expect(refusal).toMatchObject({
      kind: "outcome_unknown",
      message: expect.stringMatching(/; filled before it: @e\d+ \[textbox\] "Name"$/),
    });
    await answer();
  });
});
