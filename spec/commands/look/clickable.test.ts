/** What `snapshot` finds that is not plain to see in the document: what reacts without a role, and closed shadow roots. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { linesOf } from "./snapshot_lines.ts";

const CLICKABLE = `<!doctype html><title>Clickable</title><style>body{margin:0}</style>
<div id="own" style="cursor:pointer">Pointer <span>inherits</span></div>
<div id="listens">Only a listener</div>
<div id="fixed" style="position:fixed;right:0;bottom:0">Fixed</div>
<svg id="picture" width="40" height="40"><circle id="dot" cx="20" cy="20" r="20"><title>Dot</title></circle></svg>
<div id="typed" tabindex="0">Tab stop</div>
<div id="moves">Moved over only</div>
<div id="host"></div>
<button id="button">Button</button>
<div id="root"><p>Under a framework</p></div>
<iframe src="/listening"></iframe>
<iframe id="other"></iframe>
<p id="said"></p>
<script>
  const say = (text) => { said.textContent = text; };
  listens.addEventListener("click", () => say("listens"));
  for (const element of [fixed, dot, button]) element.addEventListener("pointerdown", () => say(element.id));
  moves.addEventListener("mouseover", () => {});
  for (const type of "abort blur cancel change click close copy cut drag drop error focus input invalid keydown keyup load mousedown mouseup paste pause play reset scroll seeked select submit toggle wheel".split(" "))
    root.addEventListener(type, () => {});
  const inner = host.attachShadow({ mode: "open" });
  inner.innerHTML = "<div>In the shadow</div>";
  inner.firstChild.addEventListener("click", () => say("shadow"));
  other.src = location.origin.replace("127.0.0.1", "localhost") + "/listening";
</script>`;

const LISTENING = `<!doctype html><div id="inner">Framed on HOST</div><script>
  inner.textContent = inner.textContent.replace("HOST", location.hostname);
  inner.addEventListener("click", () => { document.title = "pressed"; inner.textContent = "Pressed"; });
</script>`;

const CLOSED = `<!doctype html><title>Closed</title><x-card></x-card><div id="plain"></div><p id="said"></p><script>
  const fill = (host, html) => { const root = host.attachShadow({ mode: "closed" }); root.innerHTML = html; return root; };
  const card = fill(document.querySelector("x-card"), "<button>Buy</button><div id=deep style='display:block;height:20px'></div>");
  card.querySelector("button").onclick = () => { said.textContent = "bought"; };
  fill(card.querySelector("#deep"), "<input aria-label='Coupon'>");
  fill(plain, "<button>Plain</button>");
</script>`;

const HANDED = `<!doctype html><title>Handed on</title>
<ul id="files"><li class="tile">One.txt</li><li class="tile">Two.txt</li></ul>
<div id="cards"><div class="card">First</div><div class="card">Second <button>Buy</button></div></div>
<table><tbody id="rows"><tr class="odd"><td>Ana</td></tr><tr class="even"><td>Bob</td></tr></tbody></table>
<div id="choices"><div class="choice">Left</div><div class="choice chosen">Right</div></div>
<div id="bar"><button>A</button><button>B</button><button>C</button></div>
<span class="month next wide" style="cursor:pointer"><svg width="9" height="9"></svg></span><i id="close" onclick="1" style="display:block;height:9px"></i>
<button class="icon"></button><button class="icon" title="Help"></button>
<div onclick="1"><a href="/x">Only</a></div><p id="svelte">Svelte</p><script>
  files.addEventListener("contextmenu", () => {});
  cards.addEventListener("pointerdown", () => {});
  for (const list of [bar, rows, choices]) list.addEventListener("click", () => {});
  svelte.__click = () => {};
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/clickable": CLICKABLE, "/listening": LISTENING, "/closed": CLOSED, "/handed": HANDED });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function show(path: string): Promise<void> {
  await project.run("goto", `${site.url}${path}`, "--wait", "load");
}

async function lines(...flags: string[]): Promise<string[]> {
  return await linesOf(project, flags);
}

describe("snapshot -i", () => {
  it("lists what a list listens for, and not the list, nor what only wraps a control", async () => {
    await show("/handed");
    expect((await lines("-i")).map((line) => line.trim())).toEqual([
      '[listitem] delegated: "One.txt"',
      '[listitem] delegated: "Two.txt"',
      '[delegated] "First"',
      '[button] "Buy"',
      '[row] "Ana" delegated',
      '[row] "Bob" delegated',
      '[delegated] "Left"',
      '[delegated] "Right"',
      '[button] "A"',
      '[button] "B"',
      '[button] "C"',
      '[cursor:pointer] markup=".month.next"',
      '[onclick] markup="#close"',
      '[button] markup=".icon"',
      '[button] "Help"',
      '[link] "Only"',
      '[paragraph] listener: "Svelte"',
    ]);
    expect((await lines("-i", "--no-clickable")).map((line) => line.trim())).toEqual([
      '[button] "Buy"',
      '[button] "A"',
      '[button] "B"',
      '[button] "C"',
      '[button] markup=".icon"',
      '[button] "Help"',
      '[link] "Only"',
    ]);
    expect(await lines("-C")).toEqual([
      '[listitem] delegated: "One.txt"',
      '[listitem] delegated: "Two.txt"',
      '[delegated] "First"',
      '[row] "Ana" delegated',
      '[row] "Bob" delegated',
      '[delegated] "Left"',
      '[delegated] "Right"',
      '[cursor:pointer] markup=".month.next"',
      '[onclick] markup="#close"',
      '[onclick] "Only"',
      '[paragraph] listener: "Svelte"',
    ]);
  });
});

describe("what reacts without a role", () => {
  it("finds what only a listener, a cursor or a tab stop makes clickable, wherever it is", async () => {
    await show("/clickable");
    const shown = (await lines("-i")).map((line) => line.trim());
    expect(shown).toEqual(
      expect.arrayContaining([
        '[cursor:pointer] "Pointer inherits"',
        '[listener] "Only a listener"',
        '[listener] "Fixed"',
        '[tabindex] "Tab stop"',
        '[listener] "In the shadow"',
        '[listener] "Framed on 127.0.0.1"',
        '[listener] "Framed on localhost"',
        '[button] "Button"',
      ]),
    );
    const all = shown.join("\n");
    expect(all).toMatch(/listener.*"Dot"|"Dot".*listener/);
    expect(all).not.toContain("Moved over only");
    expect(all).not.toContain("framework");
    expect(all.match(/inherits/g)).toHaveLength(1);
  });

  it("gives refs that can be pressed", async () => {
    await show("/clickable");
    for (const [text, said] of [
      ['"Only a listener"', "listens"],
      ['"Fixed"', "fixed"],
      ['"In the shadow"', "shadow"],
    ] as const) {
      const ref = await project.ref(text, "-i");
      expect(ref).toMatch(/^@c/);
      await project.run("click", ref);
      expect(await project.run("text", "#said")).toBe(said);
    }
    await project.run("click", await project.ref('"Framed on localhost"', "-i"));
    expect(await project.run("text")).toContain("Pressed");
  });

  it("leaves nothing in the document, and nothing that the page could hear", async () => {
    await show("/clickable");
    await project.run(
      "js",
      `window.heard = []; new MutationObserver((all) => heard.push(...all)).observe(document, { subtree: true, childList: true, attributes: true });
       for (const type of ["click", "pointerdown", "mousedown"]) addEventListener(type, (event) => heard.push(event.type), true);`,
    );
    const before = await project.run("html");
    await project.run("snapshot", "-i");
    expect(await project.run("html")).toBe(before);
    expect(await project.run("js", "heard.length")).toBe("0");
  });
});

describe("a closed shadow root", () => {
  it("is read and operated like an open one, also inside another", async () => {
    await show("/closed");
    const shown = (await lines("-i")).map((line) => line.trim());
    expect(shown).toEqual(['[button] "Buy"', '[textbox] "Coupon"', '[button] "Plain"']);
    await project.run("click", await project.ref('"Buy"', "-i"));
    expect(await project.run("text", "#said")).toBe("bought");
    await project.run("fill", await project.ref('"Coupon"', "-i"), "TEN");
    expect(await project.run("snapshot", "-i")).toContain('"Coupon" value="TEN"');
    expect(await project.run("js", "document.querySelector('x-card').shadowRoot")).toBe("null");
  });
});
