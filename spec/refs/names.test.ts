/** Roles and names, case by case: each line is markup, the role and the name its `[t]` element must have. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStage, type Stage } from "./act/stage.ts";
import { foundNames, type NamedCase } from "./named.ts";

const STYLES = `<style>
  .before::before { content: "B " } .after::after { content: " A" } .attr::before { content: attr(data-x) }
  .icon::before { content: "\\e901" / "icon text" } .block { display: block } .box { display: inline-block }
</style>
<span id="one">one</span><span id="two" hidden>two</span>
<div id="gone" style="display:none">hidden <span>ref</span><span style="display:none"> deep</span></div>`;

const GROUPS: Record<string, NamedCase[]> = {
  "names from aria-labelledby and aria-label": [
    [`<button t aria-label="label">text</button>`, "button", "label"],
    [`<button t aria-labelledby="one two">text</button>`, "button", "one two"],
    [`<button t aria-labelledby="gone">text</button>`, "button", "hidden ref deep"],
    [`<button t aria-labelledby="missing">still</button>`, "button", "still"],
    [`<button t id="me" aria-label="me" aria-labelledby="me one">x</button>`, "button", "me one"],
    [
      `<button t id="l1" aria-labelledby="l2">first</button><i id="l2" aria-labelledby="l1">second</i>`,
      "button",
      "second",
    ],
    [`<a t href="#" aria-label="  ">fallback</a>`, "link", "fallback"],
    [`<p t aria-label="not allowed">text</p>`, "paragraph", ""],
  ],
  "names from labels, placeholders and values": [
    [`<label for="f1">First</label><label for="f1">Second</label><input t id="f1">`, "textbox", "First Second"],
    [`<label>around <input t> it</label>`, "textbox", "around it"],
    [
      `<label for="f0">flash <input value="5" aria-label="n"> times</label><input t type="checkbox" id="f0">`,
      "checkbox",
      "flash 5 times",
    ],
    [
      `<input t type="checkbox" id="f2"><label for="f2">flash <select><option>1<option selected>2</select> times</label>`,
      "checkbox",
      "flash 2 times",
    ],
    [
      `<label for="f3">secret is <input type="password" value="hunter2"></label><input t id="f3">`,
      "textbox",
      "secret is •••",
    ],
    [`<input t placeholder="hint">`, "textbox", "hint"],
    [`<input t title="title" placeholder="hint">`, "textbox", "title"],
    [`<input t type="submit">`, "button", "Submit"],
    [`<input t type="button" value="Go">`, "button", "Go"],
    [`<input t type="image" alt="Search" src="data:,">`, "button", "Search"],
    [`<input t type="file">`, "button", "Choose File"],
    [`<fieldset t><legend>Legend</legend><input></fieldset>`, "group", "Legend"],
    [`<figure t><img alt="x" src="data:,"><figcaption>Caption</figcaption></figure>`, "figure", "Caption"],
    [`<table t><caption>Caption</caption><tr><td>1</table>`, "table", "Caption"],
  ],
  "names from content": [
    [`<button t class="before after">mid</button>`, "button", "B mid A"],
    [`<button t class="attr" data-x="from attribute"></button>`, "button", "from attribute"],
    [`<button t class="icon"></button>`, "button", "icon text"],
    [`<button t>a<span class="block">b</span>c</button>`, "button", "a b c"],
    [`<button t>a<span>b</span>c</button>`, "button", "abc"],
    [`<button t>a<span class="box">b</span>c<br>d</button>`, "button", "a b c d"],
    [`<button t><img alt="picture" src="data:,"></button>`, "button", "picture"],
    [`<button t><svg><title>drawing</title><path d="M0 0"/></svg></button>`, "button", "drawing"],
    [`<a t href="#">x<span aria-hidden="true">no</span><span style="display:none">no</span>y</a>`, "link", "xy"],
    [`<button t title="tip"></button>`, "button", "tip"],
    [
      `<button t><span role="slider" aria-valuenow="5" aria-valuetext="five"></span> stars</button>`,
      "button",
      "five stars",
    ],
    [
      `<span role="tree"><span t role="treeitem">Fruit<span role="group"><span role="treeitem">Apple</span></span></span></span>`,
      "treeitem",
      "Fruit",
    ],
    [`<details><summary t>More <b>info</b></summary>text</details>`, "button", "More info"],
    [
      `<button t>so&shy;ft &nbsp; spaces
       and lines</button>`,
      "button",
      "soft spaces and lines",
    ],
    [`<span t role="group" aria-label="owner" aria-owns="own">x</span><i id="own">y</i>`, "group", "owner"],
    [`<button t aria-owns="own2">x </button><i id="own2">y</i>`, "button", "x y"],
  ],
  "roles that HTML gives": [
    [`<a t href="#">x</a>`, "link", "x"],
    [`<a t>script link</a>`, "link", "script link"],
    [`<article><header t>x</header></article>`, "generic", ""],
    [`<section t>x</section>`, "generic", ""],
    [`<section t aria-label="part">x</section>`, "region", "part"],
    [`<img t alt="" src="data:,">`, "generic", ""],
    [`<img t src="data:,">`, "img", ""],
    [`<input t type="date" aria-label="d">`, "textbox", "d"],
    [`<input t type="color" aria-label="c">`, "textbox", "c"],
    [`<input t type="range" aria-label="r">`, "slider", "r"],
    [`<input t type="number" aria-label="n">`, "spinbutton", "n"],
    [`<input t type="search" aria-label="s">`, "searchbox", "s"],
    [`<input t list="data" aria-label="l"><datalist id="data"></datalist>`, "combobox", "l"],
    [`<select t size="3" aria-label="s"><option>1</select>`, "listbox", "s"],
    [`<select aria-label="s"><option t label="shown">1</select>`, "option", "shown"],
    [`<table><tr><th>a<th t>b<tr><td>1<td>2</table>`, "columnheader", "b"],
    [`<table><tr><th t>a<td>1<tr><th>b<td>2</table>`, "rowheader", "a"],
    [`<table role="grid"><tr><td t>1<td>2</table>`, "gridcell", "1"],
    [`<div t contenteditable aria-label="edit">x</div>`, "textbox", "edit"],
    [`<map name="m"><area t href="#" alt="area"></map><img usemap="#m" src="data:," alt="map">`, "link", "area"],
    [`<iframe t title="frame" srcdoc=""></iframe>`, "iframe", "frame"],
  ],
  "roles that authors give": [
    [`<div t role="nonsense link" tabindex="0">x</div>`, "link", "x"],
    [`<div t role="IMG" aria-label="x"></div>`, "img", "x"],
    [`<button t role="none">x</button>`, "button", "x"],
    [`<h1 t role="presentation">x</h1>`, "generic", ""],
    [`<h1 t role="presentation" aria-describedby="one">x</h1>`, "heading", "x"],
    [`<table role="presentation"><tr><td t>x</table>`, "generic", ""],
    [`<ul role="none"><li t>x</ul>`, "generic", ""],
    [`<a href="#" t role="button">x</a>`, "button", "x"],
  ],
};

describe("the role and name of an element", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each(Object.keys(GROUPS))("%s", async (group) => {
    const cases = GROUPS[group]!;
    expect(await foundNames(stage, STYLES, cases)).toEqual(cases);
  });

  test("they are the same for a slotted name in a shadow root", async () => {
    await stage.show(`<my-button>light <b>text</b></my-button><script>
      document.querySelector("my-button").attachShadow({mode: "open"}).innerHTML = "<button><slot></slot> in shadow</button>";
    </script>`);
    expect(await stage.ref("role=button")).toMatchObject({ name: "light text in shadow" });
  });

  test("a form's field cannot stand in for the form's own properties", async () => {
    await stage.show(`<form aria-label="Login">
      <input name="localName"><input name="children"><input name="firstChild"><input name="parentNode">
      <input name="getAttribute"><input name="nodeType"><button>Save</button></form><img name="body" src="data:," alt="body">`);
    expect(await stage.ref("role=form")).toMatchObject({ name: "Login" });
    expect(await stage.ref("role=button")).toMatchObject({ name: "Save" });
  });
});
