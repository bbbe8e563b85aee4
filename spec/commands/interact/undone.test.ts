/** Controls whose page undoes what was done to them, or takes a part of it: the answer says what they hold. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const UNDONE = `<!doctype html><title>Undone</title>
<label>Size <select id=size onchange="value = 's'"><option value=s>Small</option><option value=l>Large</option></select></label>
<label>Later <select id=later onchange="setTimeout(() => { value = '' }, 30)"><option value="">None</option><option>Blue</option></select></label>
<label>City <input id=city list=cities onchange="value = ''"></label><datalist id=cities><option>Lisbon</option></datalist>
<label><input type=checkbox id=terms onclick="setTimeout(() => { checked = false }, 300)"> Terms</label>
<label><input type=checkbox id=news checked onclick="setTimeout(() => { checked = true }, 300)"> News</label>
<label><input type=checkbox id=prevented onclick="event.preventDefault()"> Prevented</label>
<label><input type=radio name=pay id=cash onchange="setTimeout(() => { card.checked = true }, 300)"> Cash</label><label><input type=radio name=pay id=card> Card</label>
<label>File <input type=file id=file onchange="value = ''"></label>
<label>Name <input id=name oninput="value = 'fixed'"></label>
<div contenteditable role=textbox aria-label=Story oninput="textContent = 'Fixed'"></div>
<label>Kept <select id=kept><option>One</option><option>Two</option></select></label>
<label>Box <input type=checkbox id=box></label>`;

const TYPED = `<!doctype html><title>Typed</title>
<label>Code <input id=code maxlength=3></label>
<label>Letters <input id=letters value=ab onkeydown="if (/\\d/.test(event.key)) event.preventDefault()"></label>
<label>Amount <input id=amount type=number></label>
<label>Controlled <input id=controlled oninput="value = ''"></label>
<label>Masked <input id=masked onkeypress="event.preventDefault(); value += event.key.toUpperCase() + '-'"></label>
<label>Pin <input id=pin type=password maxlength=2></label>
<label>First <input id=first maxlength=1 oninput="second.focus()"></label><label>Second <input id=second maxlength=1></label>
<form onsubmit="event.preventDefault(); chat.value = ''"><label>Chat <input id=chat></label></form>
<div contenteditable role=textbox aria-label=Editor onbeforeinput="event.preventDefault(); textContent += event.data"></div>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/undone": UNDONE, "/typed": TYPED });
  project = await SharedProject.open();
  writeFileSync(join(project.dir, "a.txt"), "A");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("what the page has undone is told with what the control holds now", () => {
  it.each([
    ["select #size Large", '"Size" now holds "Small"'],
    ["select #later Blue", '"Later" now holds "None"'],
    ["select #city Lisbon", '"City" now holds nothing'],
    ["check #terms", '"Terms" is not checked now'],
    ["check #cash", '"Cash" is not checked now'],
    ["uncheck #news", '"News" is checked now'],
  ])("as a failure of %s", async (line, said) => {
    await project.run("goto", `${site.url}/undone`);
    const { kind, message, exitCode } = await project.refusal(...line.split(" "));
    expect({ kind, exitCode }).toEqual({ kind: "not_kept", exitCode: 1 });
    expect(message).toContain(`The page has undone what "${line.split(" ")[0]}" did → ${said}`);
  });

  it.each([
    ["click #size>option:last-child", '"Size" now holds "Small"'],
    ["fill #size Large", '"Size" now holds "Small"'],
    ["upload #file a.txt", '"File" now holds nothing'],
    ["fill #name Ann", '"Name" now holds "fixed"'],
    ["fill role=textbox[name=Story] Once", '"Story" now holds "Fixed"'],
  ])("of %s", async (line, said) => {
    await project.run("goto", `${site.url}/undone`);
    expect(await project.run(...line.split(" "))).toContain(said);
  });

  it("where a check is prevented, as a refusal", async () => {
    await project.run("goto", `${site.url}/undone`);
    const { kind, message, exitCode } = await project.refusal("check", "#prevented");
    expect({ kind, exitCode }).toEqual({ kind: "not_kept", exitCode: 1 });
    expect(message).toContain("was pressed but is still not checked");
  });

  it("and what was so before is told as that", async () => {
    await project.run("goto", `${site.url}/undone`);
    expect(await project.run("uncheck", "#box")).toMatch(/^@e\d+ \[checkbox\] "Box" is unchecked already/);
    expect(await project.run("check", "#box")).toMatch(/^Checked @e\d+ \[checkbox\] "Box"/);
    expect(await project.run("check", "#box")).toMatch(/^@e\d+ \[checkbox\] "Box" is checked already/);
    expect(await project.json("check", "#box")).toMatchObject({ already: true });
  });

  it("and not of what is kept", async () => {
    await project.run("goto", `${site.url}/undone`);
    for (const line of ["select #kept Two", "check #box", "uncheck #box", "fill #kept One"]) {
      expect(await project.run(...line.split(" "))).not.toContain("now");
    }
  });
});

describe("of what is typed, the characters that arrived are counted", () => {
  it.each([
    ["#code", "hello", /^Typed 3 of 5 characters into .*"Code" now holds "hel"/],
    ["#letters", "c1d2", /^Typed 2 of 4 characters into .*"Letters" now holds "abcd"/],
    ["#amount", "abc", /^Typed 0 of 3 characters into .*"Amount" now holds nothing/],
    ["#controlled", "xyz", /^Typed 3 characters into .*"Controlled" now holds nothing/],
    ["#masked", "ab", /^Typed 2 characters into .*"Masked" now holds "A-B-"/],
    ["#pin", "1234", /^Typed 2 of 4 characters into .*"Pin" holds another value than the one given/],
    ["#first", "12", /^Typed 2 characters into/],
    ["#chat", "hi\n", /^Typed 3 characters into/],
    ["role=textbox[name=Editor]", "hi", /^Typed 2 characters into/],
    ["#amount", "12", /^Typed 2 characters into (?!.*now holds)/],
    ["#letters", "c", /^Typed 1 character into (?!.*now holds)/],
  ])("in %s", async (field, text, said) => {
    await project.run("goto", `${site.url}/typed`);
    expect(await project.run("type", "--into", field, text)).toMatch(said);
  });
});
