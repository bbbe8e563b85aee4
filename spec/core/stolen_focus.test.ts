/** A frame of another site that takes the keyboard focus, as any frame may. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const THIEF = `<input id="loot" aria-label="Loot">
<script>setInterval(() => { if (document.activeElement !== loot || !document.hasFocus()) { window.focus(); loot.focus(); } }, 5)</script>`;
const TEXT = "a text that is for nobody but this page, whatever frames do";

let project: Project;
let site: Site;
beforeAll(async () => {
  site = await Site.serve({ "/thief": THIEF, "/calm": "<p>An advertisement</p>" });
  project = new Project();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(frame: string): Promise<void> {
  const other = site.url.replace("127.0.0.1", "localhost");
  site.set(
    "/page",
    `<label>Password <input type="password" id="password"></label><div contenteditable role="textbox" aria-label="Letter" id="letter"></div>
     <input id="first" maxlength="1" oninput="second.focus()"><input id="second"><iframe src="${other}${frame}"></iframe>`,
  );
  await project.run("goto", `${site.url}/page`);
  await project.run("wait", "--load");
}

async function lootOf(): Promise<string> {
  await project.run("frame", "iframe");
  const loot = await project.run("js", "document.getElementById('loot').value");
  await project.run("frame", "main");
  return loot.trim();
}

test("What is typed into a field is not typed on in a frame that takes the focus", async () => {
  await open("/thief");
  const { exitCode, stderr } = await project.cli(["type", "label=Password", TEXT]);
  // On a busy machine the thief may come too late for all of it.
  if (exitCode === 0) expect((await project.run("js", "password.value")).trim()).toBe(TEXT);
  else expect(stderr).toMatch(/takes the keyboard focus|took the keyboard focus from .* after 1 of/);
  expect((await lootOf()).length).toBeLessThanOrEqual(1);
});

test("What an editor is filled with is in the editor, or is said not to be", async () => {
  await open("/thief");
  const isFilled = await project.run("fill", "#letter", TEXT).then(
    () => true,
    () => false,
  );
  expect(await project.run("text", "#letter").then((text) => text.trim() === TEXT)).toBe(isFilled);
  expect((await lootOf()).length).toBeLessThanOrEqual(16);
});

test("Beside a frame that lets the focus be, text goes in whole, and on to the next field where the page leads it", async () => {
  await open("/calm");
  await project.run("type", "label=Password", TEXT);
  await project.run("fill", "#letter", TEXT);
  await project.run("type", "css=#first", "12345");
  const held = await project.json("js", "[password.value, letter.innerText, first.value, second.value]");
  expect(held).toMatchObject({ value: [TEXT, TEXT, "1", "2345"] });
});

test("An editor whose page has the focus go elsewhere is not said to be filled", async () => {
  site.set(
    "/page",
    `<div contenteditable role="textbox" aria-label="Letter" id="letter" onfocus="other.focus()"></div><textarea id="other"></textarea>`,
  );
  await project.run("goto", `${site.url}/page`);
  expect(await project.refusal("fill", "#letter", TEXT)).toMatchObject({ kind: "invalid_params" });
  expect((await project.run("value", "#other")).trim()).toBe("");
});
