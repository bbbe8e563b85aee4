/** What `snapshot` shows by flag, through the client: the window, a dialog, listeners, changes, and a picture with refs. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureHeader } from "../harness/picture.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const TALL = `<!doctype html><title>Tall</title><style>body{margin:0}</style>
<button>Above</button>
<div style="height:100px;overflow:auto"><button>In the pane</button><div style="height:900px"></div><button>Below in the pane</button></div>
<iframe src="/inner" style="height:200px;display:block"></iframe>
<div style="height:3000px"></div><button>Below</button><iframe name="far" src="/inner"></iframe>`;

const INNER = `<!doctype html><button>Inner above</button><div style="height:1000px"></div><button>Inner below</button>`;

const DIALOGS = `<!doctype html><title>Dialogs</title><button>Page</button>
<div role="dialog" aria-modal="true" aria-label="First" style="position:fixed;inset:0;background:#fff"><button>One</button></div>
<dialog id="second" aria-label="Second"><button>Two</button></dialog>
<script>second.showModal()</script>`;

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

const LIST = `<!doctype html><title>List</title><h1>List</h1>
<ul id="list"><li><button>A</button></li><li><button>B</button></li><li><button>C</button></li></ul>
<label>Name <input id="name"></label><p id="note">Nothing yet</p>
<button onclick="list.children[1].remove()">Remove B</button>
<button onclick="list.insertAdjacentHTML('beforeend', '<li><button>D</button></li>')">Add D</button>
<button onclick="list.prepend(list.lastElementChild)">Move last</button>
<button onclick="note.textContent = 'Something'">Write</button>
<button onclick="history.pushState(null, '', '/list?page=2'); document.title = 'Page 2'">Push</button>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/tall": TALL,
    "/inner": INNER,
    "/dialogs": DIALOGS,
    "/framed-dialog": `<!doctype html><title>Outer</title><button>Outer</button><iframe src="/dialogs" style="width:600px;height:400px"></iframe>`,
    "/clickable": CLICKABLE,
    "/listening": LISTENING,
    "/closed": CLOSED,
    "/list": LIST,
    "/links": `<!doctype html><title>Links</title><a href="/docs">Docs</a> <a href="/a">More</a> <a href="/b">More</a>
      <a href="/nameless"></a> <a href="https://example.com/away">Away</a>`,
    "/many": `<!doctype html><title>Many</title>${"<button>Press</button>".repeat(2500)}`,
    "/small": "<!doctype html><title>Small</title><button>Only</button>",
  });
  project = new Project();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function show(path: string): Promise<void> {
  await project.run("goto", `${site.url}${path}`, "--wait", "load");
}

/** Without header and refs. */
async function lines(...flags: string[]): Promise<string[]> {
  const [, ...rest] = (await project.run("snapshot", ...flags)).split("\n");
  return rest.map((line) => line.replace(/@[ec]\d+ /g, ""));
}

describe("snapshot -v", () => {
  it("shows what the window shows, of panes and frames too", async () => {
    await show("/tall");
    const shown = (await lines("-iv")).map((line) => line.trim());
    expect(shown.filter((line) => line.includes("button"))).toEqual([
      '[button] "Above"',
      '[button] "In the pane"',
      '[button] "Inner above"',
    ]);
    await project.run("scroll", "--to", "bottom");
    expect((await lines("-iv")).join("\n")).toContain('[button] "Below"');
  });
});

describe("snapshot -i", () => {
  it("gives a link's address where its name does not tell it apart, or where it leaves the site", async () => {
    await show("/links");
    expect(await lines("-i")).toEqual([
      '[link] "Docs"',
      '[link] "More" → /a',
      '[link] "More" → /b',
      "[link] → /nameless hidden(zero-size)",
      '[link] "Away" → https://example.com/away',
    ]);
    expect((await lines())[0]).toBe('[link] "Docs" → /docs');
    const { nodes } = await project.json("snapshot", "-i");
    expect((nodes as { url: string }[])[0]?.url).toBe(`${site.url}/docs`);
  });

  it("lists more than a whole snapshot does by default", async () => {
    await show("/many");
    expect(await lines("-i")).toHaveLength(2500);
    expect((await lines()).at(-1)).toMatch(/^… 500 more: /);
  });
});

describe("snapshot --modal", () => {
  it("shows the topmost dialog alone", async () => {
    await show("/dialogs");
    expect(await lines("-i", "--modal")).toEqual(['[dialog] "Second"', expect.stringContaining('[button] "Two"')]);
    await project.run("js", "second.close()");
    expect(await lines("-i", "--modal")).toEqual(['[dialog] "First"', '  [button] "One"']);
  });

  it("finds it in a frame", async () => {
    await show("/framed-dialog");
    expect((await lines("-i", "--modal")).join("\n")).toContain('[button] "Two"');
  });

  it("says so when there is none", async () => {
    await show("/small");
    expect(await project.run("snapshot", "--modal")).toContain("No dialog is open");
    expect(await project.json("snapshot", "--modal")).toMatchObject({ modal: false, nodes: [] });
  });
});

describe("snapshot -C", () => {
  it("finds what only a listener, a cursor or a tab stop makes clickable, wherever it is", async () => {
    await show("/clickable");
    const shown = (await lines("-iC")).map((line) => line.trim());
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
      const ref = await project.ref(text, "-iC");
      expect(ref).toMatch(/^@c/);
      await project.run("click", ref);
      expect(await project.run("text", "#said")).toBe(said);
    }
    await project.run("click", await project.ref('"Framed on localhost"', "-iC"));
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
    await project.run("snapshot", "-C");
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

describe("snapshot -D", () => {
  it("shows the snapshot when there is none to compare with, then says in one line that nothing changed", async () => {
    const tab = await project.json("newtab", `${site.url}/small`);
    const first = await project.run("snapshot", "-iD");
    expect(first).toContain("No earlier snapshot of this tab");
    expect(first).toContain('[button] "Only"');
    expect(await project.run("snapshot", "-iD")).toMatch(/^unchanged: "Small" .*$/);
    expect(await project.json("snapshot", "-iD")).toMatchObject({ comparison: { outcome: "unchanged", changes: [] } });
    await project.run("closetab", String(tab.id));
  });

  it("tells what came, went, changed and moved, with refs", async () => {
    await show("/list");
    await project.run("snapshot");
    const press = async (name: string) => await project.run("click", `role=button[name="${name}"]`);
    const changes = async () => (await lines("-D")).filter((line) => !line.includes("focused"));
    await press("Remove B");
    expect(await changes()).toEqual(["- [listitem] (and 1 inside)"]);
    await press("Add D");
    expect(await changes()).toEqual(["+ [listitem]", '+   [button] "D"']);
    await press("Move last");
    expect((await changes()).join("\n")).toMatch(/^~ .*\(moved\)/);
    await press("Write");
    expect(await changes()).toEqual(['~ [paragraph]: "Nothing yet" → [paragraph]: "Something"']);
    await press("Push");
    expect(await changes()).toEqual([
      `~ address "${site.url}/list" → address "${site.url}/list?page=2"`,
      '~ title "List" → title "Page 2"',
    ]);
    await project.run("fill", "#name", "Ann");
    expect(await project.run("snapshot", "-D")).toMatch(
      /~ (@e\d+) \[textbox\] "Name" → \1 \[textbox\] "Name" value="Ann"/,
    );
  });

  it("compares only what both flags show", async () => {
    await show("/list");
    await project.run("snapshot", "-i");
    expect(await project.run("snapshot", "-D")).toMatch(/^unchanged: .* compared as -i/);
    await project.run("js", "note.textContent = 'Other'; list.children[1].remove(); 0");
    const changed = await lines("-iD");
    expect(changed).toEqual(['- [button] "B"']);
    await project.run("snapshot");
    await project.run("js", "note.textContent = 'Again'; list.children[1].remove(); 0");
    expect(await lines("-iD")).toEqual(['- [button] "C"']);
  });

  it("shows the page anew after a navigation", async () => {
    await show("/list");
    await project.run("snapshot", "-i");
    await show("/small");
    const shown = await project.run("snapshot", "-iD");
    expect(shown).toContain(`Another page than in the last snapshot (${site.url}/list)`);
    expect(shown).toContain('[button] "Only"');
  });
});

describe("snapshot -a", () => {
  it("draws the refs on a copy, in the artifacts unless told where", async () => {
    await show("/list");
    const before = await project.run("html");
    const { annotated } = (await project.json("snapshot", "-ia")) as { annotated: Record<string, unknown> };
    expect(annotated).toMatchObject({ width: 1280, height: 720, unmeasured: [] });
    expect((annotated.drawn as string[]).length).toBe(9);
    expect(pictureHeader(readFileSync(String(annotated.path)))).toEqual({ format: "png", width: 1280, height: 720 });
    expect(await project.run("html")).toBe(before);
    expect(await project.run("tabs")).not.toContain("about:blank");
    expect(await project.run("snapshot", "-iva", "-o", "refs.png")).toMatch(
      /^Wrote .*refs\.png \(1280x720, 9 refs\)\n/,
    );
    expect(existsSync(join(project.dir, "refs.png"))).toBe(true);
  });

  it("lists what is not on the picture", async () => {
    await show("/tall");
    await project.run("js", `document.querySelector("button").style.display = "contents"; 0`);
    const { annotated } = (await project.json("snapshot", "-ia")) as { annotated: { drawn: string[] } };
    expect(annotated.drawn.length).toBeGreaterThan(3);
    await project.run("snapshot", "-i");
    expect(await project.run("snapshot", "-iva")).toMatch(/^Wrote .*\n/);
  });

  it("needs -a for -o, a name that ends in .png, and leaves a file that is not ours", async () => {
    await show("/small");
    expect(await project.refusal("snapshot", "-o", "x.png")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("snapshot", "-a", "-o", "x.ts")).toMatchObject({ kind: "blocked_path" });
    writeFileSync(join(project.dir, "mine.png"), "mine");
    expect(await project.refusal("snapshot", "-a", "-o", "mine.png")).toMatchObject({ kind: "blocked_path" });
    expect(readFileSync(join(project.dir, "mine.png"), "utf8")).toBe("mine");
  });
});

describe("a snapshot of a frame", () => {
  it("says in its header which", async () => {
    await show("/framed-dialog");
    const ref = await project.ref('"Two"', "-i");
    expect(await project.run("snapshot", "-s", ref)).toContain(`frame ${site.url}/dialogs · inside ${ref}`);
  });
});
