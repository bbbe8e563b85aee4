/** What an action's answer shows of what it has changed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fill } from "../../../refs/act/fill.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { button, linesOf, pressing } from "./answer_lines.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("a field that has another label is told, also where it came in the place of another", async () => {
  const label = "<label>User <input></label>";
  await stage.show(button("box.innerHTML = '<label>Code <input></label>'", `<div id=box>${label}</div>`));
  expect(await pressing(stage, "#go")).toEqual(['~ @ [textbox] "Code"']);
  await stage.show(button("word.textContent = 'City'", "<label><b id=word>Town</b> <input></label>"));
  expect(await pressing(stage, "#go")).toEqual(['~ @ [textbox] "City"']);
});

test("a few controls that were rendered anew as they were are told by both of their names", async () => {
  await stage.show(button("box.innerHTML = box.innerHTML", "<div id=box><button>Next</button><p>Step</p></div>"));
  await stage.ref("text=Next");
  expect(await pressing(stage, "#go")).toEqual(['~ @ → @ [button] "Next"']);
  const many = Array.from({ length: 9 }, (_, n) => `<button>B${n}</button>`).join("");
  await stage.show(button("box.innerHTML = box.innerHTML", `<div id=box>${many}</div>`));
  await takeSnapshot(stage.tab, { signal: stage.signal });
  expect(await pressing(stage, "#go")).toEqual([]);
});

test("what an alert says once more is told again, and nothing else that is written anew", async () => {
  await stage.show(
    button("for (const id of ['why', 'note']) window[id].textContent = 'No'", "<p role=alert id=why></p><p id=note>"),
  );
  expect(await pressing(stage, "#go")).toEqual(['~ @ [alert]: "No"', '~ @ [paragraph]: "No"']);
  expect(await pressing(stage, "#go")).toEqual(['~ @ [alert]: "No"']);
});

describe("what changed", () => {
  test.each([
    ["its text", "<p>Total: <b id=n>1</b></p>", "n.textContent = 2", '~ @ [paragraph]: "Total: 2"'],
    [
      "text in a line with controls",
      "<li>Milk <button>x</button></li>",
      "document.querySelector('li').firstChild.data = 'Bread '",
      '~ "Bread"',
    ],
    ["a state", "<button id=b aria-pressed=false>Bold</button>", "b.ariaPressed = true", '~ @ [button] "Bold" pressed'],
    ["its name", "<button id=b>Follow</button>", "b.textContent = 'Following'", '~ @ [button] "Following"'],
    [
      "a value that a script sets",
      "<input id=i aria-label=City>",
      "i.value = 'Oslo'",
      '~ @ [textbox] "City" value="Oslo"',
    ],
    [
      "its place",
      "<ul id=l><li>One<li>Two<li>Three</ul>",
      "l.append(l.firstElementChild)",
      '~ @ [listitem]: "One" (moved)',
    ],
    [
      "a section that opens",
      "<details id=d><summary>More</summary><p>Text</p></details>",
      "d.open = true",
      '~ @ [button] "More" expanded',
    ],
  ])("by %s is shown as it is now", async (_what, html, script, line) => {
    await stage.show(button(script, html));
    expect((await pressing(stage, "#go")).filter((each) => each.startsWith("~"))).toEqual([line]);
  });

  test("leaves out what was rendered anew as it was", async () => {
    const rows = ["One", "Two", "Three"].map((name) => `<li>${name} <button>Delete</button></li>`).join("");
    await stage.show(button("list.innerHTML = list.innerHTML.replace('Two', 'Four')", `<ul id=list>${rows}</ul>`));
    expect(await pressing(stage, "#go")).toEqual(['~ "Four"']);
  });

  test("finds what was rendered anew in another place by what it says", async () => {
    const rows = ["One", "Two", "Three"]
      .map((name, n) => `<li data-n=${n}>${name} <button>Delete</button></li>`)
      .join("");
    await stage.show(
      button("list.innerHTML = '<li data-n=0>Three <button>Delete</button></li>'", `<ul id=list>${rows}</ul>`),
    );
    expect(await pressing(stage, "#go")).toEqual(['- "One Delete"', '- "Two Delete"']);
  });

  test("is one line of what moved, with what it says", async () => {
    const rows = ["Zoe", "Ann"].map((name) => `<tr><td>${name}<td><button>Edit</button></tr>`).join("");
    await stage.show(button("rows.append(rows.rows[0])", `<table><tbody id=rows>${rows}</table>`));
    expect(await pressing(stage, "#go")).toEqual(['~ @ [row] "Zoe Edit" (moved)']);
  });

  test("by its looks alone is counted, and no line", async () => {
    await stage.show(button("go.className = 'busy'"));
    expect(await pressing(stage, "#go")).toEqual([]);
  });

  test("is not what a field was filled with: the answer says that", async () => {
    await stage.show("<input aria-label=Name oninput='out.textContent = value'><p id=out></p>");
    const ref = await stage.ref("input");
    const { tab, signal } = stage;
    expect(await linesOf(stage, () => fill(tab, ref, "Ada", { signal }))).toEqual(['~ @ [paragraph]: "Ada"']);
  });

  test("shows no secret", async () => {
    await stage.show(button("p.value = 'hunter2'", "<input type=password id=p aria-label=Password>"));
    expect(await pressing(stage, "#go")).toEqual(['~ @ [textbox] "Password" value=•••']);
  });
});

test("nothing is read where it is not wanted", async () => {
  await stage.show(button("box.textContent = 'x'", "<p id=box></p>"));
  expect(await pressing(stage, "#go", { shows: false })).toEqual([]);
});

test("names of fields that shadow the DOM fool nobody", async () => {
  await stage.show(
    button(
      "f.insertAdjacentHTML('beforeend', '<p>New</p>'); f.setAttribute('aria-label', 'Form')",
      "<form id=f><input name=childNodes><input name=parentNode><input name=outerHTML><input name=children></form>",
    ),
  );
  expect(await pressing(stage, "#go")).toEqual(['~ @ [form] "Form"', '+   @ [paragraph]: "New"']);
});
