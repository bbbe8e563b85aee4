/** What an action's answer shows of what has come, also into sight, and of what is gone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickElement, hover } from "../../../refs/act/click.ts";
import { pressKey } from "../../../refs/act/keyboard.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { answerOf, button, linesOf, pressing } from "./answer_lines.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe("what a style alone shows", () => {
  const MENU = `<style>ul { display: none } nav:hover ul, nav:focus-within ul { display: block }</style>
    <nav><button id=go>Tools</button><ul><li><a href="#x">Export</a></ul></nav><button id=far>Far</button>`;
  const pointing = async (target: string) => {
    const { tab, signal } = stage;
    const ref = await stage.ref(target);
    return await answerOf(stage, async () => hover(tab, ref, { signal }));
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
    expect(await linesOf(stage, async () => pressKey(tab, "Tab", { signal }))).toContain(
      '+     @ [link] "Export" → #x',
    );
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
    expect(await pressing(stage, "#go")).toEqual([
      '+ @ [menu] "File"',
      '+   @ [menuitem] "New"',
      '+   @ [menuitem] "Open"',
    ]);
    expect(await pressing(stage, "#go")).toEqual(['- @ [menu] "File" (and 2 inside)']);
  });

  test("of a list that grew is its first and its last item, and how many there are beside them", async () => {
    await stage.show(
      button(
        "for (let i = 1; i <= 40; i++) list.insertAdjacentHTML('beforeend', '<li>Item ' + i)",
        "<ul id=list><li>Old</ul>",
      ),
    );
    expect(await pressing(stage, "#go")).toEqual([
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
    expect(await pressing(stage, "#go")).toEqual(['+ @ [alert]: "Saved"', '+ @ [listitem]: "Milk"']);
  });

  test("goes where it is too much for an answer: up to 12 lines, what is in the window first", async () => {
    await stage.show(
      button(
        "far.innerHTML = '<p>Far</p>'; for (const c of 'abcdefghijklm') { const h = document.createElement('h2'); h.textContent = c; h.className = c; near.append(h) }",
        "<div id=near></div><div style='height: 2000px'></div><div id=far></div>",
      ),
    );
    const lines = await pressing(stage, "#go");
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
    expect(await pressing(stage, "#go")).toEqual([]);
  });
});

describe("what is gone", () => {
  test("is told by the ref that it had", async () => {
    await stage.show(button("row.remove()", "<ul><li id=row>Milk <button>Delete</button></li><li>Bread</li></ul>"));
    const { tab, signal } = stage;
    await takeSnapshot(tab, { signal, interactive: true });
    expect(await pressing(stage, "#go")).toEqual(['- "Milk Delete" (and 1 inside)']);
    await stage.show(button("b.remove()", "<button id=b>Old</button>"));
    await takeSnapshot(tab, { signal });
    expect(await pressing(stage, "#go")).toEqual(['- @ [button] "Old"']);
  });

  test("is also what a style around it hides, when it is known", async () => {
    const style = "<style>.modal { display: none } .shows .modal { display: block }</style>";
    const dialog = "<div class=modal role=dialog aria-label=Settings><button>Close</button></div>";
    await stage.show(`${style}${button("document.body.classList.toggle('shows')", dialog)}`);
    expect(await pressing(stage, "#go")).toEqual(['+ @ [dialog] "Settings"', '+   @ [button] "Close"']);
    expect(await pressing(stage, "#go")).toEqual(['- @ [dialog] "Settings" (and 1 inside)']);
  });

  test("is not what nobody could see, nor what came and went", async () => {
    await stage.show(
      button(
        "ghost.remove(); const p = document.createElement('p'); p.textContent = 'x'; go.after(p); p.remove()",
        "<p id=ghost hidden>Boo</p>",
      ),
    );
    expect(await pressing(stage, "#go")).toEqual([]);
  });
});

test("a page that changes everything is told in the same few lines", async () => {
  await stage.show(
    button(
      "for (let i = 0; i < 5000; i++) { const d = document.createElement('div'); d.innerHTML = '<p>' + i + ' <a href=#' + i + '>Link</a></p>'; box.append(d) }",
      "<div id=box></div>",
    ),
  );
  const lines = await pressing(stage, "#go");
  expect(lines.length).toBeLessThan(14);
  expect(lines).toContain('+   @ [link] "Link" → #0');
  expect(lines.at(-1)).toMatch(/^… and \d+ more: /);
});
