/** What an action's answer shows of what it has changed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effectText } from "../../../commands/effect_text.ts";
import { clickElement, hover } from "../../../refs/act/click.ts";
import { fill } from "../../../refs/act/fill.ts";
import { pressKey } from "../../../refs/act/keyboard.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** What an action is answered with, refs without their numbers. */
async function answerOf(act: () => Promise<unknown>, { shows = true } = {}): Promise<string> {
  const { tab, signal } = stage;
  using observer = observeEffects(tab, { signal, settles: true, shows });
  await act();
  const { line, changes, more = [] } = effectText(await observer.settle(signal));
  return [line.trim(), ...changes, ...[more].flat()].join("\n").replace(/@e\d+/g, "@");
}

/** The lines below the answer. */
async function linesOf(act: () => Promise<unknown>, how: { shows?: boolean } = {}): Promise<string[]> {
  return (await answerOf(act, how)).split("\n").slice(1);
}

async function pressing(target: string, how: { shows?: boolean } = {}): Promise<string[]> {
  const { tab, signal } = stage;
  const ref = await stage.ref(target);
  return await linesOf(async () => clickElement(tab, ref, { signal }), how);
}

const button = (script: string, more = ""): string => `<button id=go onclick="${script}">Go</button>${more}`;

test("a field that has another label is told, also where it came in the place of another", async () => {
  const label = "<label>User <input></label>";
  await stage.show(button("box.innerHTML = '<label>Code <input></label>'", `<div id=box>${label}</div>`));
  expect(await pressing("#go")).toEqual(['~ @ [textbox] "Code"']);
  await stage.show(button("word.textContent = 'City'", "<label><b id=word>Town</b> <input></label>"));
  expect(await pressing("#go")).toEqual(['~ @ [textbox] "City"']);
});

test("a few controls that were rendered anew as they were are told by both of their names", async () => {
  await stage.show(button("box.innerHTML = box.innerHTML", "<div id=box><button>Next</button><p>Step</p></div>"));
  await stage.ref("text=Next");
  expect(await pressing("#go")).toEqual(['~ @ → @ [button] "Next"']);
  const many = Array.from({ length: 9 }, (_, n) => `<button>B${n}</button>`).join("");
  await stage.show(button("box.innerHTML = box.innerHTML", `<div id=box>${many}</div>`));
  await takeSnapshot(stage.tab, { signal: stage.signal });
  expect(await pressing("#go")).toEqual([]);
});

test("what an alert says once more is told again, and nothing else that is written anew", async () => {
  await stage.show(
    button("for (const id of ['why', 'note']) window[id].textContent = 'No'", "<p role=alert id=why></p><p id=note>"),
  );
  expect(await pressing("#go")).toEqual(['~ @ [alert]: "No"', '~ @ [paragraph]: "No"']);
  expect(await pressing("#go")).toEqual(['~ @ [alert]: "No"']);
});

describe("what a style alone shows", () => {
  const MENU = `<style>ul { display: none } nav:hover ul, nav:focus-within ul { display: block }</style>
    <nav><button id=go>Tools</button><ul><li><a href="#x">Export</a></ul></nav><button id=far>Far</button>`;
  const pointing = async (target: string) => {
    const { tab, signal } = stage;
    const ref = await stage.ref(target);
    return await answerOf(async () => hover(tab, ref, { signal }));
  };

  test("under the mouse is told, and what it hides again", async () => {
    await stage.show(MENU);
    expect(await pointing("#go")).toBe(
      ["→ what is shown changed", "+ @ [list]", "+   @ [listitem]", '+     @ [link] "Export" → #x'].join("\n"),
    );
    expect(await pointing("#far")).toBe("→ what is shown changed\n- @ [list] (and 2 inside)");
    expect(await pointing("#far")).toMatch(/^→ no change within \d+ ms$/);
  });

  test("is not what could not be seen before either, in a shadow tree or deep in a large page", async () => {
    const deep = `${"<div>".repeat(9)}<p style="display: none"><button>Deep</button></p>`;
    await stage.show(`<button id=go>Go</button><x-a></x-a><main>${"<i></i>".repeat(6000)}</main>${deep}<script>
      document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = "<p style='display: none'><button class=in>In</button></p>";
    </script>`);
    await stage.ref(".in");
    await stage.ref("main ~ div button");
    expect(await pointing("#go")).toMatch(/^→ no change within \d+ ms$/);
  });

  test("where the focus comes is told", async () => {
    await stage.show(MENU);
    const { tab, signal } = stage;
    expect(await linesOf(async () => pressKey(tab, "Tab", { signal }))).toContain('+     @ [link] "Export" → #x');
  });
});

describe("what came", () => {
  test("is shown as a snapshot shows it, with refs that can be used at once", async () => {
    await stage.show(
      button("box.innerHTML = '<h2>Sure?</h2><button onclick=say(1)>Yes</button>'", "<div id=box></div>"),
    );
    const { tab, signal } = stage;
    const ref = await stage.ref("#go");
    using observer = observeEffects(tab, { signal, settles: true, shows: true });
    await clickElement(tab, ref, { signal });
    const { changes = [] } = await observer.settle(signal);
    expect(changes).toMatchObject([
      { kind: "added", depth: 0, line: expect.stringMatching(/^@e\d+ \[heading\] "Sure\?" level=2$/) },
      { kind: "added", depth: 0, line: expect.stringMatching(/^@e\d+ \[button\] "Yes"$/) },
    ]);
    await clickElement(tab, await stage.ref(changes[1]?.ref ?? ""), { signal });
    expect(await stage.log()).toEqual([1]);
  });

  test("is also what only comes into sight, with what is in it and can be seen", async () => {
    await stage.show(
      `<style>.off { display: none }</style>${button(
        "menu.classList.toggle('off')",
        `<ul id=menu class=off role=menu aria-label=File><li role=menuitem>New<li role=menuitem>Open<li role=menuitem hidden>Gone</ul>`,
      )}`,
    );
    expect(await pressing("#go")).toEqual(['+ @ [menu] "File"', '+   @ [menuitem] "New"', '+   @ [menuitem] "Open"']);
    expect(await pressing("#go")).toEqual(['- @ [menu] "File" (and 2 inside)']);
  });

  test("of a list that grew is its first and its last item, and how many there are beside them", async () => {
    await stage.show(
      button(
        "for (let i = 1; i <= 40; i++) list.insertAdjacentHTML('beforeend', '<li>Item ' + i)",
        "<ul id=list><li>Old</ul>",
      ),
    );
    expect(await pressing("#go")).toEqual([
      '+ @ [listitem]: "Item 1"',
      '+ @ [listitem]: "Item 40"',
      "… and 38 more: browse snapshot shows all",
    ]);
  });

  test("is told after what tells of itself, wherever that is", async () => {
    await stage.show(
      button(
        "list.innerHTML = '<li>Milk'; toast.innerHTML = '<div role=alert>Saved</div>'",
        "<ul id=list></ul><div style='height: 2000px'></div><div id=toast></div>",
      ),
    );
    expect(await pressing("#go")).toEqual(['+ @ [alert]: "Saved"', '+ @ [listitem]: "Milk"']);
  });

  test("goes where it is too much for an answer: up to 12 lines, what is in the window first", async () => {
    await stage.show(
      button(
        "far.innerHTML = '<p>Far</p>'; for (const c of 'abcdefghijklm') { const h = document.createElement('h2'); h.textContent = c; h.className = c; near.append(h) }",
        "<div id=near></div><div style='height: 2000px'></div><div id=far></div>",
      ),
    );
    const lines = await pressing("#go");
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe("… and 2 more: browse snapshot shows all");
    expect(lines.join()).not.toContain("Far");
  });

  test("and cannot be seen is not told", async () => {
    await stage.show(
      button(
        "box.innerHTML = '<p hidden>One</p><p style=opacity:0>Two</p><script>three</script>'",
        "<div id=box></div>",
      ),
    );
    expect(await pressing("#go")).toEqual([]);
  });
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
    expect((await pressing("#go")).filter((each) => each.startsWith("~"))).toEqual([line]);
  });

  test("leaves out what was rendered anew as it was", async () => {
    const rows = ["One", "Two", "Three"].map((name) => `<li>${name} <button>Delete</button></li>`).join("");
    await stage.show(button("list.innerHTML = list.innerHTML.replace('Two', 'Four')", `<ul id=list>${rows}</ul>`));
    expect(await pressing("#go")).toEqual(['~ "Four"']);
  });

  test("finds what was rendered anew in another place by what it says", async () => {
    const rows = ["One", "Two", "Three"]
      .map((name, n) => `<li data-n=${n}>${name} <button>Delete</button></li>`)
      .join("");
    await stage.show(
      button("list.innerHTML = '<li data-n=0>Three <button>Delete</button></li>'", `<ul id=list>${rows}</ul>`),
    );
    expect(await pressing("#go")).toEqual(['- "One Delete"', '- "Two Delete"']);
  });

  test("is one line of what moved, with what it says", async () => {
    const rows = ["Zoe", "Ann"].map((name) => `<tr><td>${name}<td><button>Edit</button></tr>`).join("");
    await stage.show(button("rows.append(rows.rows[0])", `<table><tbody id=rows>${rows}</table>`));
    expect(await pressing("#go")).toEqual(['~ @ [row] "Zoe Edit" (moved)']);
  });

  test("by its looks alone is counted, and no line", async () => {
    await stage.show(button("go.className = 'busy'"));
    expect(await pressing("#go")).toEqual([]);
  });

  test("is not what a field was filled with: the answer says that", async () => {
    await stage.show("<input aria-label=Name oninput='out.textContent = value'><p id=out></p>");
    const ref = await stage.ref("input");
    const { tab, signal } = stage;
    expect(await linesOf(() => fill(tab, ref, "Ada", { signal }))).toEqual(['~ @ [paragraph]: "Ada"']);
  });

  test("shows no secret", async () => {
    await stage.show(button("p.value = 'hunter2'", "<input type=password id=p aria-label=Password>"));
    expect(await pressing("#go")).toEqual(['~ @ [textbox] "Password" value=•••']);
  });
});

describe("what is gone", () => {
  test("is told by the ref that it had", async () => {
    await stage.show(button("row.remove()", "<ul><li id=row>Milk <button>Delete</button></li><li>Bread</li></ul>"));
    const { tab, signal } = stage;
    await takeSnapshot(tab, { signal, interactive: true });
    expect(await pressing("#go")).toEqual(['- "Milk Delete" (and 1 inside)']);
    await stage.show(button("b.remove()", "<button id=b>Old</button>"));
    await takeSnapshot(tab, { signal });
    expect(await pressing("#go")).toEqual(['- @ [button] "Old"']);
  });

  test("is also what a style around it hides, when it is known", async () => {
    const style = "<style>.modal { display: none } .shows .modal { display: block }</style>";
    const dialog = "<div class=modal role=dialog aria-label=Settings><button>Close</button></div>";
    await stage.show(`${style}${button("document.body.classList.toggle('shows')", dialog)}`);
    expect(await pressing("#go")).toEqual(['+ @ [dialog] "Settings"', '+   @ [button] "Close"']);
    expect(await pressing("#go")).toEqual(['- @ [dialog] "Settings" (and 1 inside)']);
  });

  test("is not what nobody could see, nor what came and went", async () => {
    await stage.show(
      button(
        "ghost.remove(); const p = document.createElement('p'); p.textContent = 'x'; go.after(p); p.remove()",
        "<p id=ghost hidden>Boo</p>",
      ),
    );
    expect(await pressing("#go")).toEqual([]);
  });
});

test("nothing is read where it is not wanted", async () => {
  await stage.show(button("box.textContent = 'x'", "<p id=box></p>"));
  expect(await pressing("#go", { shows: false })).toEqual([]);
});

test("a page that changes everything is told in the same few lines", async () => {
  await stage.show(
    button(
      "for (let i = 0; i < 5000; i++) { const d = document.createElement('div'); d.innerHTML = '<p>' + i + ' <a href=#' + i + '>Link</a></p>'; box.append(d) }",
      "<div id=box></div>",
    ),
  );
  const lines = await pressing("#go");
  expect(lines.length).toBeLessThan(14);
  expect(lines).toContain('+   @ [link] "Link" → #0');
  expect(lines.at(-1)).toMatch(/^… and \d+ more: /);
});

test("names of fields that shadow the DOM fool nobody", async () => {
  await stage.show(
    button(
      "f.insertAdjacentHTML('beforeend', '<p>New</p>'); f.setAttribute('aria-label', 'Form')",
      "<form id=f><input name=childNodes><input name=parentNode><input name=outerHTML><input name=children></form>",
    ),
  );
  expect(await pressing("#go")).toEqual(['~ @ [form] "Form"', '+   @ [paragraph]: "New"']);
});
