/** What a snapshot shows, of pages as people meet them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderSnapshot } from "../../../refs/snapshot/render.ts";
import { openStage, type Stage } from "../act/stage.ts";
import { type Flags, linesOf, snapshotOf } from "../snapshot_lines.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const snapshot = async (flags: Flags = {}) => await snapshotOf(stage, flags);
const lines = async (flags: Flags = {}) => await linesOf(stage, flags);

describe("a line of a snapshot", () => {
  test("shows role, name, live value, states and address", async () => {
    await stage.show(`<label>Email <input value="old" required></label><label><input type="checkbox" checked> Agree</label>
      <a href="/docs">Docs</a><a href="https://example.org/x">Out</a><a href="#part">Here</a>
      <button aria-expanded="false" disabled>Menu</button><button aria-pressed="true">Bold</button>
      <label>Born <input type="date" value="2020-01-02"></label><textarea aria-label="Note" readonly>hi</textarea>`);
    await stage.tab.page.locator("input").first().fill("a@b.c");
    expect(await lines()).toEqual([
      `@e [textbox] "Email" value="a@b.c" required focused`,
      `@e [checkbox] "Agree" checked`,
      `@e [link] "Docs" → /docs`,
      `@e [link] "Out" → https://example.org/x`,
      `@e [link] "Here" → #part`,
      `@e [button] "Menu" collapsed disabled`,
      `@e [button] "Bold" pressed`,
      `@e [textbox] "Born" type=date value="2020-01-02"`,
      `@e [textbox] "Note" value="hi" readonly`,
    ]);
  });

  test.each([
    [`<input type="password" value="hunter2">`],
    [`<input autocomplete="one-time-code" value="hunter2">`],
    [`<input name="otpCode" value="hunter2">`],
    [`<input type="text" name="password" value="hunter2">`],
    [`<input id="card-cvv" value="hunter2">`],
    [`<input name="pin" aria-label="Verification code" value="hunter2">`],
    [`<input name="2fa" value="hunter2">`],
    [`<input name="sms_code" type="search" list="none" value="hunter2">`],
  ])("never shows the secret in %s", async (field) => {
    await stage.show(`<label>Secret ${field}</label>`);
    for (const flags of [{}, { interactive: true }, { compact: true }]) {
      const shown = await snapshot(flags);
      expect(JSON.stringify(shown)).not.toContain("hunter2");
      expect(renderSnapshot(shown)).toContain("value=•••");
    }
  });

  test.each([
    [`Save "draft": $5`, `"Save \\"draft\\": $5"`],
    ["back\\slash", `"back\\\\slash"`],
    ["two\nlines", `"two lines"`],
    ["👩‍💻 emoji", `"👩‍💻 emoji"`],
    ["שלום", `"שלום"`],
    ["left\u202eright", `"left\\u{202e}right"`],
    ["x".repeat(10_000), `"${"x".repeat(120)}…"`],
    ["😀".repeat(200), `"${"😀".repeat(120)}…"`],
    ['@e9 [button] "Fake"', `"@e9 [button] \\"Fake\\""`],
  ])("keeps the name %j on one line", async (name, shown) => {
    await stage.show("<button></button>");
    await stage.tab.page.locator("button").evaluate((button, text) => button.setAttribute("aria-label", text), name);
    expect(await lines()).toEqual([`@e [button] ${shown}`]);
    expect((await snapshot()).nodes[0]?.name).toBe(name.replace("\n", " "));
  });

  test("shows what only sounds like a secret", async () => {
    await stage.show(`<label>Promo code <input name="code" value="save10"></label><input aria-label="Password hint" value="dog">
      <input type="email" name="password_reset_email" aria-label="Email" value="a@b.c">`);
    expect((await snapshot()).nodes.map(({ value }) => value)).toEqual(["save10", "dog", "a@b.c"]);
  });

  test("cannot be broken by a title, a value or a text", async () => {
    await stage.show(`<title>a&#x2028;b</title><p>one&#x2028;two</p><input aria-label="v">`);
    await stage.tab.page.locator("input").evaluate((input) => {
      (input as HTMLInputElement).value = "\ud800lone\u0007";
    });
    const text = renderSnapshot(await snapshot());
    expect(text).toContain(`"a\\u{2028}b"`);
    expect(text).toContain(`"one two"`);
    expect(text).toContain(`value="\ufffdlone\\u{7}"`);
  });
});

describe("what a person cannot see", () => {
  test.each([
    [`<button style="opacity:0">x</button>`, "opacity"],
    [`<div style="opacity:0"><button>x</button></div>`, "opacity"],
    [`<button style="position:absolute;left:-9999px">x</button>`, "off-screen"],
    [`<button style="position:absolute;top:-500px">x</button>`, "off-screen"],
    [`<div style="height:0;overflow:hidden"><button>x</button></div>`, "clipped"],
    [`<button style="position:absolute;clip:rect(0,0,0,0)">x</button>`, "clipped"],
    [`<button style="clip-path:inset(50%)">x</button>`, "clipped"],
    [`<button style="width:1px;height:1px;overflow:hidden;padding:0;border:0">x</button>`, "clipped"],
    [`<a href="#" style="font-size:1px">x</a>`, "zero-size"],
    [`<div style="opacity:.1"><a href="#" style="opacity:.1">x</a></div>`, "opacity"],
    [`<a href="#" style="display:block;text-indent:-9999px">x</a>`, "off-screen"],
    [`<a href="#" style="display:block;text-indent:100%;white-space:nowrap;overflow:hidden">x</a>`, "clipped"],
    [`<a href="#" style="color:#fff;background:#fff">x</a>`, "same-color"],
    [`<a href="#" style="color:rgb(250,250,250)">x</a>`, "same-color"],
    [`<a href="#" style="color:transparent">x</a>`, "same-color"],
    [`<button aria-label="Cancel">Delete everything</button>`, "label-mismatch"],
    [
      `<div style="overflow:hidden;width:50px;position:relative"><a href="#" style="position:absolute;left:80px">x</a></div>`,
      "clipped",
    ],
  ])("is marked: %s", async (html, reason) => {
    await stage.show(html);
    const { nodes } = await snapshot({ interactive: true });
    expect(nodes.map((node) => [node.role, node.hidden])).toEqual([[nodes[0]?.role, reason]]);
    expect(await lines({ interactive: true })).toEqual([expect.stringContaining(`hidden(${reason})`)]);
  });

  test.each([
    [`<div style="overflow:auto;height:50px"><div style="height:500px"></div><button>x</button></div>`],
    [`<div style="height:2000px"></div><button>x</button>`],
    [`<div style="position:relative;background:#000"><a href="#" style="position:relative;color:#fff">x</a></div>`],
    [
      `<div style="position:absolute;background:#000;width:99px;height:99px"></div><a href="#" style="position:absolute;color:#fff">x</a>`,
    ],
    [`<button aria-label="Close">×</button>`],
    [`<svg viewBox="0 0 9 9" width="90"><a href="#"><text y="5" font-size="1">x</text></a></svg>`],
    [
      `<div style="width:200px"><a href="#" style="display:block;text-indent:-300px;text-align:right">x x x x x x x x x x x x x x x x x x x x x x x x</a></div>`,
    ],
    [`<button aria-label="Delete Alice">Delete</button>`],
    [`<div style="overflow:hidden;height:0"><button style="position:fixed;top:9px">x</button></div>`],
    [`<a href="#" style="color:transparent;background:linear-gradient(red,blue);background-clip:text">x</a>`],
  ])("is not claimed of what can be seen or scrolled to: %s", async (html) => {
    await stage.show(html);
    const { nodes } = await snapshot({ interactive: true });
    expect(nodes.map((node) => node.hidden)).toEqual([undefined]);
  });

  test("is left out when it is not rendered at all", async () => {
    await stage.show(`<button style="display:none">a</button><button style="visibility:hidden">b</button><div hidden><button>c</button></div>
      <details><summary>s</summary><button>d</button></details><button style="visibility:hidden">e<i style="visibility:visible">f</i></button><button>g</button>`);
    expect(await lines({ interactive: true })).toEqual([`@e [button] "s" collapsed`, `@e [button] "g"`]);
  });

  test("stays when it is only hidden from assistive technology", async () => {
    await stage.show(`<div aria-hidden="true"><button>Close</button></div>`);
    expect(await lines()).toEqual([`@e [button] "Close" aria-hidden`]);
  });
});

describe("frames and shadow roots", () => {
  test("are read where they stand: nested, of another site, in framesets", async () => {
    await stage.show(
      `<h1>Top</h1><iframe title="A" src="/inner"></iframe><iframe title="B" src="${stage.other}/deep"></iframe>`,
      {
        "/inner": `<button>Inner</button><iframe title="C" src="${stage.other}/deep"></iframe>`,
        "/deep": `<a href="/d">Deep</a>`,
      },
    );
    expect(await lines()).toEqual([
      `@e [heading] "Top" level=1`,
      `@e [iframe] "A"`,
      `  @e [button] "Inner"`,
      `  @e [iframe] "C"`,
      `    @e [link] "Deep" → ${stage.other}/d`,
      `@e [iframe] "B"`,
      `  @e [link] "Deep" → ${stage.other}/d`,
    ]);
    await stage.show(`<frameset cols="50%,50%"><frame src="/left"><frame src="/right"></frameset>`, {
      "/left": "<button>Left</button>",
      "/right": "<button>Right</button>",
    });
    expect(await lines({ interactive: true })).toEqual([
      `@e [iframe]`,
      `  @e [button] "Left"`,
      `@e [iframe]`,
      `  @e [button] "Right"`,
    ]);
  });

  test("have refs that work without switching frames", async () => {
    await stage.show(`<iframe src="${stage.other}/deep"></iframe>`, { "/deep": "<button>Deep</button>" });
    const { nodes } = await snapshot();
    const button = nodes.find((node) => node.role === "button");
    expect(await stage.ref(button?.ref ?? "")).toMatchObject({ role: "button", name: "Deep" });
  });

  test("keep a reading waiting once when they do not answer, are named, and are read again when they do", async () => {
    await stage.show(`<button>Top</button><iframe title="Ad" src="${stage.other}/ad"></iframe>`, {
      "/ad": `<button>Ad</button><script>
        onmessage = () => { for (const end = Date.now() + 7_000; Date.now() < end; ); parent.postMessage("over", "*"); };
      </script>`,
    });
    const { page } = stage.tab;
    await page.evaluate("isOver = false; onmessage = () => { isOver = true; }; frames[0].postMessage('begin', '*')");
    const waited = () => [
      `@e [button] "Top"`,
      expect.stringMatching(/^@e \[iframe\] "Ad" \(not readable: It did not answer within (5|0\.5) s\)$/),
    ];
    const told = [await lines(), await lines()];
    expect(told).toEqual([waited(), waited()]);
    expect(told.map((all) => /within ([\d.]+) s/.exec(all.join())?.[1])).toEqual(["5", "0.5"]);
    await page.waitForFunction("isOver");
    expect(await lines()).toContain(`  @e [button] "Ad"`);
  });

  test("open shadow roots and slots are read in the order in which they are drawn", async () => {
    await stage.show(`<x-card><b slot="title">Name</b><button>Light</button></x-card><script>
      document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML =
        '<h2><slot name="title"></slot></h2><button>Shadow</button><slot></slot>';
    </script>`);
    expect(await lines()).toEqual([`@e [heading] "Name" level=2`, `@e [button] "Shadow"`, `@e [button] "Light"`]);
  });

  test("nothing of ours is left in the document", async () => {
    await stage.show(`<main><button>x</button></main><script>
      window.seen = 0; new MutationObserver((list) => { seen += list.length })
        .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    </script>`);
    const before = await stage.tab.page.content();
    await snapshot();
    await snapshot({ interactive: true, clickable: true });
    expect(await stage.tab.page.content()).toBe(before);
    expect(await stage.tab.page.evaluate("seen")).toBe(0);
  });
});
