/** The tree that a snapshot shows: what has a line in it, under what, and by which flags. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderSnapshot } from "../../refs/snapshot/render.ts";
import { errorOf, openStage, type Stage } from "./act/stage.ts";
import { type Flags, linesOf, snapshotOf } from "./snapshot_lines.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const snapshot = async (flags: Flags = {}) => await snapshotOf(stage, flags);
const lines = async (flags: Flags = {}) => await linesOf(stage, flags);

describe("the tree", () => {
  test("says nothing twice and shows no line that carries nothing", async () => {
    await stage.show(`<div><div><span></span></div></div><hr><img alt="">
      <a href="/x"><h3>Title</h3><p>Text</p><img alt="Title" src="data:,"></a>
      <h2><a href="/y">Linked</a></h2>
      <table><tr><td><button>Buy</button><td>Plain</table>
      <p>Running <b>text</b> with <a href="/z">a link</a> in it.</p>`);
    expect(await lines()).toEqual([
      `@e [link] "Title Text Title" → /x`,
      `@e [heading] level=2`,
      `  @e [link] "Linked" → /y`,
      `@e [table]`,
      `  @e [row]`,
      `    @e [cell]`,
      `      @e [button] "Buy"`,
      `    @e [cell] "Plain"`,
      `@e [paragraph]`,
      `  "Running text with"`,
      `  @e [link] "a link" → /z`,
      `  "in it."`,
    ]);
  });

  test("says what a container is called once: in its name, or where a heading or control says it", async () => {
    await stage.show(`<figure><img alt="Lamp" src="data:,"><figcaption>Our <i>lamp</i></figcaption></figure>
      <table><caption>Sizes</caption><tr><td>1<td>2</table>
      <fieldset><legend>Pay</legend><input aria-label="Card"></fieldset>
      <section aria-labelledby="h"><h2 id="h">Terms</h2><p>Fine print</p><button>Agree</button></section>
      <div role="dialog" aria-labelledby="t"><header><h2 id="t">Sure?</h2></header><button>Yes</button></div>
      <fieldset><legend style="position:absolute;clip:rect(0,0,0,0)">Unseen</legend><input aria-label="Coupon"></fieldset>`);
    const dialog = [`@e [dialog]`, `  @e [banner]`, `    @e [heading] "Sure?" level=2`, `  @e [button] "Yes"`];
    expect(await lines()).toEqual([
      `@e [figure] "Our lamp"`,
      `  @e [img] "Lamp"`,
      `@e [table] "Sizes"`,
      `  @e [row]`,
      `    @e [cell] "1"`,
      `    @e [cell] "2"`,
      `@e [group] "Pay"`,
      `  @e [textbox] "Card"`,
      `@e [region]`,
      `  @e [heading] "Terms" level=2`,
      `  @e [paragraph]: "Fine print"`,
      `  @e [button] "Agree"`,
      ...dialog,
      `@e [group] "Unseen"`,
      `  "Unseen" hidden(clipped)`,
      `  @e [textbox] "Coupon"`,
    ]);
    expect((await lines({ interactive: true })).slice(2, 5)).toEqual([
      `@e [region]`,
      `  @e [heading] "Terms" level=2`,
      `  @e [button] "Agree"`,
    ]);
    expect((await snapshot()).nodes).toContainEqual(expect.objectContaining({ role: "region", name: "Terms" }));
  });

  test("keeps tabs, disclosures, options, links without href and what a script made clickable", async () => {
    await stage.show(`<div role="tablist"><div role="tab" aria-selected="true">One</div><div role="tab">Two</div></div>
      <details><summary>More</summary><button>Inside</button></details>
      <h3><button aria-expanded="false">Section</button></h3>
      <div role="listbox" aria-label="Pick"><div role="option" aria-selected="false">Red</div></div>
      <select aria-label="Size"><option>S<option selected>M</select>
      <a>Plain script link</a><div contenteditable aria-label="Editor">Text</div><input type="file">`);
    expect(await lines({ interactive: true })).toEqual([
      `@e [tab] "One" selected`,
      `@e [tab] "Two"`,
      `@e [button] "More" collapsed`,
      `@e [button] "Section" collapsed`,
      `@e [listbox] "Pick"`,
      `  @e [option] "Red"`,
      `@e [combobox] "Size" value="M"`,
      `  @e [option] "S"`,
      `  @e [option] "M" selected`,
      `@e [link] "Plain script link"`,
      `@e [textbox] "Editor" value="Text"`,
      `@e [button] "Choose File" type=file`,
    ]);
  });

  test("tells of what can be typed into that it can, and what is in it", async () => {
    await stage.show(`<p contenteditable>Words</p><h2 contenteditable>Title</h2><p contenteditable></p>
      <ul contenteditable="plaintext-only"><li>One<li>Two <b>bold</b></ul>
      <div role="grid"><div role="row"><div role="gridcell" contenteditable>Cell</div></div></div>
      <blockquote contenteditable="false">Not this</blockquote><div contenteditable="plaintext-only">Plain</div>`);
    const list = `@e [list] value="One Two bold" editable`;
    const before = [
      `@e [paragraph] value="Words" editable`,
      `@e [heading] "Title" editable level=2`,
      `@e [paragraph] editable`,
    ];
    const after = [`@e [gridcell] "Cell" editable`, `@e [textbox] value="Plain"`];
    expect(await lines({ interactive: true })).toEqual([...before, list, ...after]);
    expect((await lines()).slice(0, 6)).toEqual([
      ...before,
      `@e [list] editable`,
      `  @e [listitem]: "One"`,
      `  @e [listitem]: "Two bold"`,
    ]);
  });

  test("-i keeps the headings and landmarks that tell its things apart, and no others", async () => {
    await stage.show(`<nav aria-label="Main"><a href="/">Home</a></nav><aside>No control here</aside>
      <main><h1>Shop</h1><h2>Idle</h2><p>text</p><h2>Cart</h2><button>Remove</button><h2>Idle too</h2></main>`);
    expect(await lines({ interactive: true })).toEqual([
      `@e [navigation] "Main"`,
      `  @e [link] "Home" → /`,
      `@e [main]`,
      `  @e [heading] "Shop" level=1`,
      `  @e [heading] "Cart" level=2`,
      `  @e [button] "Remove"`,
    ]);
  });

  test("-i leaves out the landmark that all is in, unless it has a name or is a dialog", async () => {
    const inside = `<nav><a href="/">Home</a></nav><button>Buy</button>`;
    const children = [`@e [navigation]`, `  @e [link] "Home" → /`, `@e [button] "Buy"`];
    const within = (line: string) => [line, ...children.map((child) => `  ${child}`)];
    await stage.show(`<main><section>${inside}</section></main>`);
    expect(await lines({ interactive: true })).toEqual(children);
    await stage.show(`<main aria-label="Shop">${inside}</main>`);
    expect(await lines({ interactive: true })).toEqual(within(`@e [main] "Shop"`));
    await stage.show(`<main><div role="dialog">${inside}</div></main>`);
    expect(await lines({ interactive: true })).toEqual(within(`@e [dialog]`));
  });

  test("-c drops nameless structure, -d cuts levels, --max says what it left out", async () => {
    await stage.show(`<ul><li>One<li><button>Two</button></ul><nav aria-label="N"><a href="/">Home</a></nav>`);
    expect(await lines({ compact: true })).toEqual([
      `"One"`,
      `@e [button] "Two"`,
      `@e [navigation] "N"`,
      `  @e [link] "Home" → /`,
    ]);
    expect(await lines({ depth: 1 })).toEqual([`@e [list]`, `@e [navigation] "N"`]);
    expect(await lines({ compact: true, depth: 1 })).toEqual([`"One"`, `@e [button] "Two"`, `@e [navigation] "N"`]);
    const cut = await snapshot({ maxNodes: 2 });
    expect(cut).toMatchObject({ shown: 2, total: 6 });
    expect(renderSnapshot(cut)).toMatch(/… 4 more: narrow it with -i, -c, -d N, or -s/);
    expect(renderSnapshot(cut, { flags: { interactive: true } })).toMatch(/… 4 more: narrow it with -c, -d N, or -s/);
  });

  test("-s reads one element, and a scope that is missing is an error", async () => {
    await stage.show(`<main><button>In</button></main><button>Out</button>`);
    expect(await lines({ selector: "main" })).toEqual([`@e [main]`, `  @e [button] "In"`]);
    expect(await errorOf(snapshot({ selector: "article" }))).toMatchObject({ kind: "not_found" });
  });

  test("-v shows what is in the window, --modal the topmost dialog", async () => {
    await stage.show(`<button>Top</button><div style="height:3000px"></div><button>Below</button>
      <div role="dialog" aria-label="Under"><button>No</button></div>
      <dialog aria-label="Over"><button>Yes</button></dialog>`);
    expect(await lines({ viewport: true })).toEqual([`@e [button] "Top"`]);
    await stage.tab.page.evaluate(() => document.querySelector("dialog")?.showModal());
    expect(await lines({ modal: true })).toEqual([`@e [dialog] "Over"`, `  @e [button] "Yes" focused`]);
  });

  test("reaches what is nested deeper than any parser nests", async () => {
    await stage.show("<main></main>");
    await stage.tab.page.evaluate(() => {
      let at: Element = document.querySelector("main") ?? document.body;
      for (let level = 0; level < 2000; level++) at = at.appendChild(document.createElement("div"));
      at.innerHTML = "<button>Deepest</button>";
    });
    expect(await lines()).toEqual([`@e [main]`, `  @e [button] "Deepest"`]);
    expect(await stage.ref("text=Deepest")).toMatchObject({ name: "Deepest" });
  });

  test("says so when there is nothing to show, and what can be done about it with other flags", async () => {
    await stage.show("<title>Empty</title><main><br></main><p style='margin-top:2000px'>Only text</p>");
    const advice = async (flags: Flags) => renderSnapshot(await snapshot(flags), { flags }).split("\n")[1];
    const page = `on "Empty" (${stage.origin}/)`;
    const picture = "`browse screenshot` shows what there is to see";
    const withoutI = "without -i for text and structure";
    expect(await advice({ interactive: true })).toBe(
      `Nothing interactive ${page}. Try it ${withoutI} or without --no-clickable for what reacts without a role`,
    );
    expect(await advice({ interactive: true, clickable: true, viewport: true })).toBe(
      `Nothing interactive or clickable in view ${page}. Try it without -v for what is out of view or ${withoutI}`,
    );
    expect(await advice({ viewport: true, clickable: "only" })).toBe(
      `Nothing that only its listeners or looks show to be clickable in view ${page}. Try it without -v for what is out of view or with -i for all that can be operated`,
    );
    expect(await advice({ selector: "main" })).toMatch(
      /^Nothing to show inside @e\d+ on .*Try it without -s for the rest of the page or with -C for clickable things without a role. /,
    );
    await stage.show("<title>Empty</title>");
    expect(await advice({})).toBe(
      `Nothing to show ${page}. Try it with -C for clickable things without a role. ${picture}`,
    );
  });

  test("-i tells rows and cards with the same control apart, and what the page has to say", async () => {
    await stage.show(`<div role=alert>Wrong <b>password</b></div><div role=status></div><div aria-live=polite>3 results</div>
      <table><tr><td>A-1<td><a href=/1>PDF</a></tr><tr><td>A-2<td><a href=/2>PDF</a></tr></table>
      <ul><li><input type=checkbox> Milk <s hidden>old</s></li><li><input type=checkbox> Bread</li></ul>
      <div><h2>Lamp</h2><button>Buy</button></div><div><h2>Desk</h2><button>Buy</button></div>
      <div><button>Star</button> <a href=/r1>one</a></div><div><button>Star</button> <a href=/r2>two</a></div>
      <div aria-live=polite><p>${"Much. ".repeat(100)}</p></div>`);
    expect(await lines({ interactive: true })).toEqual([
      `@e [alert]: "Wrong password"`,
      `"3 results"`,
      `@e [link] "PDF" → /1 in "A-1"`,
      `@e [link] "PDF" → /2 in "A-2"`,
      `@e [checkbox] in "Milk"`,
      `@e [checkbox] in "Bread"`,
      `@e [heading] "Lamp" level=2`,
      `@e [button] "Buy"`,
      `@e [heading] "Desk" level=2`,
      `@e [button] "Buy"`,
      `@e [button] "Star" in "one"`,
      `@e [link] "one" → /r1`,
      `@e [button] "Star" in "two"`,
      `@e [link] "two" → /r2`,
    ]);
  });

  test("-C finds what a script listens on in closed shadow roots", async () => {
    await stage.show(`<x-card></x-card><script>
      const root = document.querySelector("x-card").attachShadow({ mode: "closed" });
      root.innerHTML = "<div>Listens</div><div>Moved over</div><p>Words</p><div style='height:20px'></div>";
      const [listens, moved, , deep] = root.children;
      listens.addEventListener("click", () => say("listens"));
      moved.addEventListener("mouseover", () => {});
      const inner = deep.attachShadow({ mode: "closed" });
      inner.innerHTML = "<div>Deeper</div>";
      inner.firstChild.addEventListener("pointerdown", () => {});
    </script>`);
    const found = [`@c [listener] "Listens"`, `@c [listener] "Deeper"`];
    expect(await lines({ interactive: true, clickable: true })).toEqual(found);
    expect(await lines({ interactive: true, clickable: true })).toEqual(found);
  });

  test("-C reads several closed shadow roots that are listened in", async () => {
    await stage.show(`<x-one></x-one><x-two></x-two><script>
      for (const host of document.body.children) {
        if (!host.localName.startsWith("x-")) continue;
        const root = host.attachShadow({ mode: "closed" });
        root.innerHTML = "<button>" + host.localName + "</button><p>Text</p>";
        root.lastChild.onclick = () => {};
      }
    </script>`);
    const found = ["one", "two"].flatMap((name) => [`@e [button] "x-${name}"`, `@e [paragraph] listener: "Text"`]);
    expect(await lines({ interactive: true, clickable: true })).toEqual(found);
    expect(await lines({ interactive: true, clickable: true })).toEqual(found);
  });

  test("-C finds what reacts without a role, once each", async () => {
    await stage.show(`<div style="cursor:pointer">Card <span>Pro</span></div><div onclick="1">Clicks</div>
      <div tabindex="0">Focus</div><div style="position:fixed;cursor:pointer;top:0">Fixed</div>
      <button style="cursor:pointer">Button <i>x</i></button>`);
    expect(await lines({ interactive: true, clickable: true })).toEqual([
      `@c [cursor:pointer] "Card Pro"`,
      `@c [onclick] "Clicks"`,
      `@c [tabindex] "Focus"`,
      `@c [cursor:pointer] "Fixed"`,
      `@e [button] "Button x"`,
    ]);
    await stage.show(`<div onclick="1"><a href="/x">Lamp</a></div><div onclick="1"><p>Only words</p></div>
      <div onclick="1"><h2>Pro</h2><p>10 a month</p></div><div onclick="1"><p>Seen</p><p style="opacity:0">Not</p></div>`);
    expect(await lines({ clickable: true })).toEqual([
      `@c [onclick]`,
      `  @e [link] "Lamp" → /x`,
      `@c [onclick] "Only words"`,
      `@c [onclick]`,
      `  @e [heading] "Pro" level=2`,
      `  @e [paragraph]: "10 a month"`,
      `@c [onclick]`,
      `  @e [paragraph]: "Seen"`,
      `  @e [paragraph] hidden(opacity): "Not"`,
    ]);
  });
});
