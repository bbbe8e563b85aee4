/** Text, links and forms as a person meets them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readForms } from "../../../commands/read/_forms.ts";
import { askAbout } from "../../../refs/read/ask_about.ts";
import { readText } from "../../../refs/read/text.ts";
import { renderSnapshot } from "../../../refs/snapshot/render.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "../act/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function textOf(html: string, target?: string): Promise<string> {
  await stage.show(`<body>${html}</body>`);
  return await readText(stage.tab, target, { signal: stage.signal });
}

describe("text", () => {
  test.each([
    ["<h1>Title</h1><p>One</p><p>Two</p><div>Three</div><div>Four</div>", "Title\n\nOne\n\nTwo\n\nThree\nFour"],
    ["<p>a <b>b</b><i>c</i>\n  d<br>e</p>", "a bc d\ne"],
    ["<table><tr><td>Color<td>black<tr><td>Year of Birth<td>1949</table>", "Color\tblack\nYear of Birth\t1949"],
    ["<table><tr><td><p>A</p><td><div>B</div></table>after", "A\tB\nafter"],
    ["<pre>  two\n    lines</pre>", "two\n    lines"],
    ["<span>a</span><button>B</button><button>C</button>", "a B C"],
    ["<ul><li>x<ul><li>y</ul><li>z</ul>", "x\ny\nz"],
    ["<div style='display:flex'><span>a</span><span>b</span></div>", "a\nb"],
    ["<details><summary>Sum</summary>inside</details>", "Sum"],
    ["<style>b::after{content:' (new)'}</style><b>Item</b>", "Item (new)"],
    [
      "<p>&#x202b;\u05d0&#x202c; 😀</p>".replace("\u05d0", "&#x5d0;").replace("😀", "&#x1f600;"),
      "\u202b\u05d0\u202c \u{1f600}",
    ],
    ["<img alt='not text' src='data:,'><p></p>", ""],
    [
      "<p style='text-transform:uppercase'>stra&szlig;e <i lang=tr>i</i><input type=submit value=go style='text-transform:inherit'>",
      "STRASSE İ GO",
    ],
    [
      "<p style='text-transform:capitalize'>&ldquo;a b-c&rdquo; it's <b>h</b>ELLO<br>&szlig;a</p><p style='text-transform:lowercase'>&Auml;B",
      "“A B-C” It's HELLO\nßa\n\näb",
    ],
  ])("of %s", async (html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  test.each([
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "position:absolute;left:-9999px",
    "font-size:1px",
    "opacity:.01",
    "text-indent:-9999px",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "position:absolute;clip:rect(0,0,0,0)",
    "height:0;overflow:hidden",
    "color:#fff",
  ])("leaves out what is hidden by %s", async (style) => {
    expect(await textOf(`<p>seen</p><div style="${style}">unseen <b>at all</b></div>`)).toBe("seen");
  });

  test("holds no field values, scripts or style sheets", async () => {
    expect(
      await textOf(`<label>Name <input value="Bob"></label><textarea>typed</textarea><select><option>pick</select>
        <script>code()</script><style>a{}</style><noscript>no</noscript><template>t</template><input type="submit" value="Send">`),
    ).toBe("Name Send");
  });

  test("of one element is that element's alone", async () => {
    expect(await textOf("<p>a</p><main><p>b</p></main>", "main")).toBe("b");
  });

  test("has shadow roots and frames where they stand", async () => {
    await stage.show(
      `<p>top</p><x-a>slotted</x-a><iframe src="${stage.other}/f"></iframe><p>end</p><script>
        document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = "<p>before</p><slot></slot><p>after</p>";
      </script>`,
      { "/f": "<p>in frame</p>" },
    );
    const text = await readText(stage.tab, undefined, { signal: stage.signal });
    expect(text.split(/\n+/)).toEqual(["top", "before", "slotted", "after", "in frame", "end"]);
  });

  test("of a huge page takes no time that grows with its square", async () => {
    await stage.show(`<script>document.write("<p>line</p>".repeat(20000))</script>`);
    const text = await readText(stage.tab, undefined, { signal: stage.signal });
    expect(text.split("\n\n")).toHaveLength(20_000);
  });
});

describe("links", () => {
  test("are absolute, named and each there once", async () => {
    await stage.show(`<a href="/a">A</a><a href="/a">A</a><a href="/a"><img alt="pic" src="data:,"></a>
      <a href="/no" style="display:none">no</a><a>none</a>`);
    const { links } = await askAbout(stage.tab, undefined, "links", {}, { signal: stage.signal });
    expect(links).toEqual([
      { text: "A", url: `${stage.origin}/a` },
      { text: "pic", url: `${stage.origin}/a` },
    ]);
  });
});

describe("forms", () => {
  test("list their fields with labels, options and refs, secrets masked", async () => {
    await stage.show(`<form action="/go" method="post" name="f"><input name="action" aria-label="Trap">
      <label>User <input name="user" value="bob" required></label><label>Pass <input type="password" name="p" value="s3cret"></label>
      <label>Size <select name="size"><option value="s">Small<option value="m" selected>Medium</select></label>
      <label><input type="checkbox" name="ok" checked> OK</label></form><input aria-label="Loose" form="">`);
    const [form, loose] = await readForms(stage.tab, { signal: stage.signal });
    expect(form).toMatchObject({ action: `${stage.origin}/go`, method: "post", name: "f" });
    expect(form?.fields.map(({ label, value, required }) => [label, value, required])).toEqual([
      ["Trap", "", false],
      ["User", "bob", true],
      ["Pass", "•••", false],
      ["Size", "m", false],
      ["OK", "on", false],
    ]);
    expect(form?.fields[3]?.options).toEqual([
      { value: "s", label: "Small", selected: false },
      { value: "m", label: "Medium", selected: true },
    ]);
    expect(form?.fields[4]?.checked).toBe(true);
    expect(await stage.ref(form?.fields[1]?.ref ?? "")).toMatchObject({ role: "textbox", name: "User" });
    expect(loose?.fields.map(({ label }) => label)).toEqual(["Loose"]);
  });
});

describe("an element's details", () => {
  test("attributes, value and status are live, and secrets masked", async () => {
    await stage.show(`<input type="password" id="p" value="s3cret"><input id="t" value="old" readonly>
      <input type="checkbox" id="c" disabled><div id="e" contenteditable>Hello</div>`);
    const { signal } = stage;
    const about = { signal };
    expect(await askAbout(stage.tab, "#p", "value", {}, about)).toMatchObject({ value: "•••", masked: true });
    expect((await askAbout(stage.tab, "#p", "attributes", {}, about)).attributes).toMatchObject({
      value: "•••",
      id: "p",
    });
    expect(await askAbout(stage.tab, "#t", "value", {}, about)).toMatchObject({ value: "old", masked: false });
    expect(await askAbout(stage.tab, "#t", "status", {}, about)).toMatchObject({
      visible: true,
      enabled: true,
      editable: false,
    });
    expect(await askAbout(stage.tab, "#c", "status", {}, about)).toMatchObject({ enabled: false, checked: false });
    expect(await askAbout(stage.tab, "#e", "value", {}, about)).toMatchObject({ value: "Hello" });
    expect(await askAbout(stage.tab, "#e", "status", {}, about)).toMatchObject({ editable: true, focused: false });
    expect((await askAbout(stage.tab, "#e", "html", { outer: true }, about)).html).toBe(
      `<div id="e" contenteditable="">Hello</div>`,
    );
    expect((await askAbout(stage.tab, "#e", "style", { property: "display" }, about)).style).toEqual({
      display: "block",
    });
    expect((await askAbout(stage.tab, undefined, "html", {}, about)).html).toMatch(/^<!DOCTYPE html>\n<html>/);
  });

  test("HTML has no secrets in it, and the page keeps them", async () => {
    await stage.show(`<div></div><noscript>a<b></noscript><input type="hidden" name="id" value="7"><form><input type="password" placeholder="a &quot; value=" value="s3cret"
      ><input autocomplete="one-time-code" value="s3cret"><textarea name="otp">s3cret</textarea></form>`);
    const htmlOf = async (target: string | undefined, outer: boolean) =>
      (await askAbout(stage.tab, target, "html", { outer }, { signal: stage.signal })).html;
    const fields = `<input type="password" placeholder="a &quot; value=" value="•••"><input autocomplete="one-time-code" value="•••"><textarea name="otp">•••</textarea>`;
    const page = await htmlOf(undefined, false);
    expect(page).toContain(
      `<div></div><noscript>a<b></noscript><input type="hidden" name="id" value="7"><form>${fields}</form>`,
    );
    expect(await htmlOf("form", false)).toBe(fields);
    expect(await htmlOf("form", true)).toBe(`<form>${fields}</form>`);
    expect(await htmlOf("textarea", false)).toBe("•••");
    const kept = await stage.tab.page.evaluate(() => document.body.innerHTML.match(/s3cret/g)?.length);
    expect(kept).toBe(3);
  });

  test("a password stays one when the page shows it in plain text", async () => {
    await stage.show(`<input type="password" id="p">`);
    const { signal } = stage;
    await stage.ref("#p");
    await stage.tab.page.evaluate(() => {
      Object.assign(document.querySelector("#p") ?? {}, { type: "text", value: "s3cret" });
    });
    expect(await askAbout(stage.tab, "#p", "value", {}, { signal })).toMatchObject({ value: "•••" });
    expect((await readForms(stage.tab, { signal }))[0]?.fields[0]).toMatchObject({ type: "text", value: "•••" });
    expect(renderSnapshot(await takeSnapshot(stage.tab, { signal }))).toContain("value=•••");
  });
});
