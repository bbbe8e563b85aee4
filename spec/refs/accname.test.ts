/**
 * The steps of "Accessible Name and Description Computation 1.2", each with the cases that the W3C's own suite
 * (web-platform-tests, accname/name/comp_*) is made of. Expected names are the specification's.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStage, type Stage } from "./act/stage.ts";
import { foundNames, type NamedCase } from "./named.ts";

const HEAD = `<style>
  .before::before { content: "before " } .after::after { content: " after" }
  .alt::before { content: "x" / "alternative " } .empty-alt::before { content: "x" / "" }
  .block::before { content: "before"; display: block } .attr::after { content: attr(data-after) }
  .inline-block { display: inline-block } .b { display: block } .none { display: none } .vis { visibility: hidden }
</style>`;

const IMAGE = `<img src="data:," alt="image">`;

const STEPS: Record<string, NamedCase[]> = {
  "2A, hidden and not referenced": [
    [`<button t>shown <span hidden>hidden</span></button>`, "button", "shown"],
    [`<button t>shown <span class="none">hidden</span></button>`, "button", "shown"],
    [`<button t>shown <span class="vis">hidden</span></button>`, "button", "shown"],
    [`<button t>shown <span aria-hidden="true">hidden</span></button>`, "button", "shown"],
    [`<button t>shown <span aria-hidden="true">a <b aria-hidden="false">b</b></span></button>`, "button", "shown"],
    [`<button t>shown <span class="vis">a <b style="visibility:visible">b</b></span></button>`, "button", "shown"],
    [`<h2 t>heading <span class="none">none</span> end</h2>`, "heading", "heading end"],
    [`<a t href="#"><span class="none">all hidden</span></a>`, "link", ""],
  ],
  "2B, labelledby": [
    [`<div t role="group" aria-labelledby="b1"></div><h2 id="b1">a heading</h2>`, "group", "a heading"],
    [`<div t role="group" aria-labelledby="b2"></div><h2 id="b2">an ${IMAGE} inside</h2>`, "group", "an image inside"],
    [`<div t role="group" aria-labelledby="b3 b4"></div><i id="b3">one</i><i id="b4">two</i>`, "group", "one two"],
    [`<div t role="group" aria-labelledby="b5 b5"></div><i id="b5">twice</i>`, "group", "twice twice"],
    [`<div t role="group" aria-labelledby="gone b6"></div><i id="b6">that exists</i>`, "group", "that exists"],
    [`<div t role="group" aria-labelledby="gone" aria-label="label"></div>`, "group", "label"],
    [
      `<button t aria-labelledby="b7" class="x">x</button><i id="b7" class="none">not displayed</i>`,
      "button",
      "not displayed",
    ],
    [`<button t aria-labelledby="b8">x</button><i id="b8" class="vis">invisible</i>`, "button", "invisible"],
    [`<button t aria-labelledby="b9">x</button><i id="b9" aria-hidden="true">aria-hidden</i>`, "button", "aria-hidden"],
    [
      `<button t aria-labelledby="b10">x</button><i id="b10" hidden>a <b>child of</b> hidden</i>`,
      "button",
      "a child of hidden",
    ],
    [
      `<button t aria-labelledby="b11">x</button><i id="b11">a <b class="none">hidden part of</b> shown</i>`,
      "button",
      "a shown",
    ],
    [
      `<button t aria-labelledby="b12">x</button><i id="b12" aria-labelledby="b13">own</i><i id="b13">followed</i>`,
      "button",
      "own",
    ],
    [`<button t aria-labelledby="b14">x</button><i id="b14" aria-label="its label">own</i>`, "button", "its label"],
    [
      `<button t id="b15" aria-label="delete" aria-labelledby="b15 b16">x</button><i id="b16">file</i>`,
      "button",
      "delete file",
    ],
    [
      `<a t href="#" aria-labelledby="b17">x</a><span id="b17"><input value="value" aria-label="label"></span>`,
      "link",
      "value",
    ],
    [`<a t href="#" aria-labelledby="b18">x</a><input id="b18" value="value" title="title">`, "link", "value"],
    [`<button t aria-labelledby="b19">x</button><span id="b19" title="only a title"></span>`, "button", "only a title"],
    [`<nav t aria-labelledby="b20"><h2 id="b20">inside</h2></nav>`, "navigation", "inside"],
    [`<button t aria-labelledby="b21">kept</button><span id="b21"></span>`, "button", "kept"],
  ],
  "2C, embedded controls": [
    [
      `<input t type="checkbox" id="c1"><label for="c1">flash <select><option>1<option selected>2</select> times</label>`,
      "checkbox",
      "flash 2 times",
    ],
    [
      `<input t type="checkbox" id="c2"><label for="c2">flash <span role="combobox"><span role="textbox"></span><span role="listbox"><span role="option" aria-selected="true">1</span><span role="option">2</span></span></span> times</label>`,
      "checkbox",
      "flash 1 times",
    ],
    [
      `<input t type="checkbox" id="c3"><label for="c3">flash <span role="listbox"><span role="option">1</span><span role="option" aria-selected="true">2</span></span> times</label>`,
      "checkbox",
      "flash 2 times",
    ],
    [
      `<input t type="checkbox" id="c4"><label for="c4">flash <input type="range" value="3" max="5"> times</label>`,
      "checkbox",
      "flash 3 times",
    ],
    [
      `<input t type="checkbox" id="c5"><label for="c5">flash <span role="slider" aria-valuenow="4"></span> times</label>`,
      "checkbox",
      "flash 4 times",
    ],
    [
      `<input t type="checkbox" id="c6"><label for="c6">flash <span role="slider" aria-valuenow="4" aria-valuetext="four"></span> times</label>`,
      "checkbox",
      "flash four times",
    ],
    [
      `<input t type="checkbox" id="c7"><label for="c7">flash <span role="spinbutton" aria-valuenow="5"></span> times</label>`,
      "checkbox",
      "flash 5 times",
    ],
    [
      `<input t type="checkbox" id="c8"><label for="c8">flash <input value="6"> times</label>`,
      "checkbox",
      "flash 6 times",
    ],
    [
      `<input t type="checkbox" id="c9"><label for="c9">flash <span role="textbox" contenteditable>7</span> times</label>`,
      "checkbox",
      "flash 7 times",
    ],
    [
      `<label><input t type="checkbox"> flash <input value="8" aria-label="number"> times</label>`,
      "checkbox",
      "flash 8 times",
    ],
    [`<button t>volume <progress value="30" max="100"></progress></button>`, "button", "volume 30"],
    [
      `<input t type="checkbox" id="c10"><label for="c10">a <span role="menu"><span role="menuitem">menu</span></span> says nothing</label>`,
      "checkbox",
      "a says nothing",
    ],
  ],
  "2D, label": [
    [`<div t role="link" tabindex="0" aria-label="label">contents</div>`, "link", "label"],
    [`<a t href="#" aria-label="label">${IMAGE}</a>`, "link", "label"],
    [`<button t aria-label="">contents</button>`, "button", "contents"],
    [`<button t aria-label=" \t\n">contents</button>`, "button", "contents"],
    [`<img t alt="alt" aria-label="label" src="data:,">`, "img", "label"],
    [`<input t aria-label="label" title="title" placeholder="placeholder">`, "textbox", "label"],
    [`<button t>a <span aria-label="labeled">x</span> child</button>`, "button", "a labeled child"],
    [`<h2 t aria-label="  folded   label ">x</h2>`, "heading", "folded label"],
    [`<div t role="paragraph" aria-label="not allowed">x</div>`, "paragraph", ""],
    [`<span t aria-label="not allowed">x</span>`, "generic", ""],
  ],
  "2E, host language labels": [
    [`<label for="e1">label</label><input t id="e1">`, "textbox", "label"],
    [`<label>label <input t></label>`, "textbox", "label"],
    [
      `<label for="e2">a test</label><label>This <input t type="checkbox" id="e2"> is</label>`,
      "checkbox",
      "a test This is",
    ],
    [
      `<label for="e3">label <b>with <i>markup</i></b></label><textarea t id="e3"></textarea>`,
      "textbox",
      "label with markup",
    ],
    [`<label for="e4" class="none">hidden label</label><input t id="e4">`, "textbox", "hidden label"],
    [`<label for="e5">${IMAGE}</label><input t type="radio" id="e5">`, "radio", "image"],
    [`<label for="e6" aria-label="label's label">text</label><input t id="e6">`, "textbox", "label's label"],
    [`<label for="e7"></label><input t id="e7" title="title">`, "textbox", "title"],
    [`<fieldset t><legend>a <b>legend</b></legend></fieldset>`, "group", "a legend"],
    [`<fieldset t title="title"></fieldset>`, "group", "title"],
    [`<table t><caption>caption</caption><tr><td>x</table>`, "table", "caption"],
    [`<figure t>x<figcaption>caption</figcaption></figure>`, "figure", "caption"],
    [`<img t alt="alt" title="title" src="data:,">`, "img", "alt"],
    [`<img t title="title" src="data:,">`, "img", "title"],
    [`<map name="e8"><area t href="#" alt="area"></map><img usemap="#e8" src="data:," alt="">`, "link", "area"],
    [`<svg t role="img" width="9" height="9"><title>drawing</title></svg>`, "img", "drawing"],
    [`<svg width="9" height="9"><g t role="button" tabindex="0"><title>part</title></g></svg>`, "button", "part"],
    [`<input t type="image" alt="alt" src="data:,">`, "button", "alt"],
    [`<label><input t type="submit" value="value"> label</label>`, "button", "label"],
    [`<input t type="submit" value="value" title="title">`, "button", "value"],
    [`<input t type="reset">`, "button", "Reset"],
    [`<select><optgroup t label="group"><option>x</optgroup></select>`, "group", "group"],
    [`<select aria-label="s"><option t label="label">text</select>`, "option", "label"],
    [`<label for="e9">label</label><meter t id="e9"></meter>`, "meter", "label"],
    [`<label for="e10">label</label><output t id="e10">1</output>`, "status", "label"],
    [`<label for="e11">label</label><button t id="e11">contents</button>`, "button", "label"],
    [`<input t type="search" placeholder="placeholder">`, "searchbox", "placeholder"],
    // `summary` has no name of its own in HTML-AAM; ours is the button it works as, named by what it says.
    [`<details><summary t>summary <b>text</b></summary>x</details>`, "button", "summary text"],
  ],
  "2F, name from content": [
    [`<h1 t>plain</h1>`, "heading", "plain"],
    [`<h1 t class="before after">heading</h1>`, "heading", "before heading after"],
    [`<h1 t class="alt">heading</h1>`, "heading", "alternative heading"],
    [`<h1 t class="empty-alt">heading</h1>`, "heading", "heading"],
    [`<h1 t class="block">heading</h1>`, "heading", "before heading"],
    [`<h1 t class="attr" data-after=" attribute">heading</h1>`, "heading", "heading attribute"],
    [`<button t><span class="before after">button</span></button>`, "button", "before button after"],
    [`<button t>one<span class="b">two</span>three</button>`, "button", "one two three"],
    [`<button t>one<span class="inline-block">two</span>three</button>`, "button", "one two three"],
    [`<button t>one<span>two</span>three</button>`, "button", "onetwothree"],
    [`<button t>one<br>two</button>`, "button", "one two"],
    [`<h2 t>heading <a href="#">link</a> <img alt="image" src="data:,"></h2>`, "heading", "heading link image"],
    [`<a t href="#">${IMAGE} text</a>`, "link", "image text"],
    [
      `<a t href="#">link <span aria-labelledby="f1">x</span></a><span id="f1">by reference</span>`,
      "link",
      "link by reference",
    ],
    [`<table><tr><td t>cell <button>button</button><tr><td>x</table>`, "cell", "cell button"],
    [`<div t role="row"><span role="cell">one</span> <span role="cell">two</span></div>`, "row", "one two"],
    [`<div t role="switch" aria-checked="true">switch</div>`, "switch", "switch"],
    [`<div role="tablist"><div t role="tab">tab <b>text</b></div></div>`, "tab", "tab text"],
    [`<div t role="tooltip">tooltip</div>`, "tooltip", "tooltip"],
    [`<div t role="group">no name from content</div>`, "group", ""],
    [`<div t role="dialog">no name from content</div>`, "dialog", ""],
    [`<main t>no name from content</main>`, "main", ""],
    [`<ul><li t>no name from content</ul>`, "listitem", ""],
    [`<button t>x <span role="group" title="title">y</span></button>`, "button", "x title"],
  ],
  "2G, text nodes": [
    [`<button t>text<!-- comment -->node</button>`, "button", "textnode"],
    [`<button t>text <!-- comment --> node</button>`, "button", "text node"],
    [`<button t>\n  text\n\tnode\n</button>`, "button", "text node"],
    [`<div t role="button" tabindex="0">a<span></span>b</div>`, "button", "ab"],
    [`<h2 t>a <span> </span> b</h2>`, "heading", "a b"],
    // The specification keeps non-breaking spaces; ours are plain, so that a name can be typed as it is read.
    [`<button t>non&nbsp;breaking</button>`, "button", "non breaking"],
  ],
  "2I, tooltip": [
    [`<a t href="#" title="title"><img alt="" src="data:,"></a>`, "link", "title"],
    [`<a t href="#" title="title">contents</a>`, "link", "contents"],
    [`<button t title="title"></button>`, "button", "title"],
    [`<div t role="group" title="title">x</div>`, "group", "title"],
    [`<input t type="checkbox" title="title">`, "checkbox", "title"],
    [`<button t>x <span title="inner title"></span></button>`, "button", "x inner title"],
    [`<button t title=" "></button>`, "button", ""],
  ],
};

describe("the name of an element by step", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test.each(Object.keys(STEPS))("%s", async (step) => {
    const cases = STEPS[step]!;
    expect(await foundNames(stage, HEAD, cases)).toEqual(cases);
  });
});
