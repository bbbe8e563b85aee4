/** What `snapshot` shows by flag, through the client: the window, a dialog, changes, and a picture with refs. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pictureHeader } from "../../harness/picture.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { linesOf } from "./snapshot_lines.ts";

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
    "/list": LIST,
    "/links": `<!doctype html><title>Links</title><a href="/docs">Docs</a> <a href="/a">More</a> <a href="/b">More</a>
      <a href="/nameless"></a> <a href="https://example.com/away">Away</a>`,
    "/many": `<!doctype html><title>Many</title>${"<button>Press</button>".repeat(2500)}`,
    "/small": "<!doctype html><title>Small</title><button>Only</button>",
  });
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
    expect(await lines("-i", "--max-chars", "1000000")).toHaveLength(2500);
    expect((await lines("--max-chars", "1000000")).at(-1)).toMatch(/^… 500 more: /);
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

describe("controls that a label stands for", () => {
  it("are listed once, where the label is, and can be checked, pressed and uploaded to", async () => {
    await show("/small");
    const controls = `<input type=checkbox id=terms style="display: none"><label for=terms>Terms</label>
      <label><input type=radio name=card hidden><span>Card A</span></label><label for=card>again</label>
      <input type=file id=file style="display: none"><label for=file>Choose file</label>
      <input type=checkbox id=gone hidden><label for=gone hidden>Gone</label><label for=plain>Plain</label><input type=checkbox id=plain>`;
    await project.run("js", `document.body.innerHTML = ${JSON.stringify(controls)}; 0`);
    expect(await lines("-i")).toEqual([
      '[checkbox] "Terms"',
      '[radio] "Card A"',
      '[button] "Choose file" type=file',
      '[checkbox] "Plain"',
    ]);
    await project.run("click", await project.ref("Terms", "-i"));
    await project.run("check", await project.ref("Card A", "-i"));
    writeFileSync(join(project.dir, "list.csv"), "a");
    await project.run("upload", await project.ref("Choose file", "-i"), "list.csv");
    expect(await lines("-i")).toEqual([
      '[checkbox] "Terms" checked',
      '[radio] "Card A" checked',
      '[button] "Choose file" type=file value="list.csv"',
      '[checkbox] "Plain"',
    ]);
  });
});

describe("snapshot -D", () => {
  it("shows the snapshot when there is none to compare with, then says in one line that nothing changed", async () => {
    const tab = await project.json("newtab", `${site.url}/small`);
    const first = await project.run("snapshot", "-iD");
    expect(first).toContain("No earlier snapshot with -i of this page to compare with");
    expect(first).toContain('[button] "Only"');
    expect(await project.run("snapshot", "-iD")).toMatch(/^unchanged in what -i shows: "Small" .*$/);
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

  it("compares with the last snapshot that was taken so, or with one of the whole page", async () => {
    await show("/list");
    await project.run("snapshot", "-i");
    await project.run("js", "note.textContent = 'Other'; list.children[1].remove(); 0");
    expect(await project.run("snapshot", "-iD")).toMatch(/ · changes in what -i shows\n- @e\d+ \[button\] "B"$/);
    const whole = await project.run("snapshot", "-D");
    expect(whole).toContain("No earlier snapshot without flags of this page to compare with. Now:");
    expect(whole).toContain('[paragraph]: "Other"');
    await project.run("js", "note.textContent = 'Again'; list.children[1].remove(); 0");
    expect(await lines("-iD")).toEqual(['- [button] "C"']);
    expect(await project.run("snapshot", "-iD")).toMatch(/^unchanged in what -i shows: /);
    const all = (await lines("-D")).join("\n");
    expect(all).toContain('~ [paragraph]: "Other" → [paragraph]: "Again"');
    expect(all).toContain("- [listitem]");
    expect(await project.run("snapshot", "-D")).toMatch(/^unchanged: /);
  });

  it("tells of the whole page what the flags show, when it was not looked at so before", async () => {
    await show("/list");
    await project.run("snapshot");
    await project.run("js", "note.textContent = 'Unseen'; 0");
    expect(await project.run("snapshot", "-iD")).toMatch(/^unchanged in what -i shows: /);
    expect((await lines("-D")).join("\n")).toContain('"Unseen"');
  });

  it("tells in one line of many that went", async () => {
    await show("/small");
    await project.run(
      "js",
      "for (let i = 0; i < 30; i++) document.body.append(Object.assign(document.createElement('button'), { textContent: 'B' + i })); 0",
    );
    await project.run("snapshot", "-i");
    await project.run(
      "js",
      "[...document.querySelectorAll('button')].slice(1).forEach((b) => b.remove()); document.body.append(document.createElement('hr')); 0",
    );
    expect(await lines("-iD")).toEqual(['- 30 from [button] "B0" to [button] "B29"']);
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

  it("covers no control at the page's top with its label", async () => {
    site.set(
      "/top",
      `<!doctype html><button style="position:fixed;inset:0 auto auto 0;width:60px;height:20px;border:0;background:rgb(1,2,3)">`,
    );
    await show("/top");
    const { annotated } = (await project.json("snapshot", "-ia")) as { annotated: { path: string } };
    const { data, width } = PNG.sync.read(readFileSync(annotated.path));
    const colorAt = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    expect([colorAt(5, 5), colorAt(30, 10)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(colorAt(1, 23)).not.toEqual([255, 255, 255]);
  });

  it("needs -a for -o, a name that ends in .png, and leaves a file that is not ours", async () => {
    await show("/small");
    expect(await project.refusal("snapshot", "-o", "x.png")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("snapshot", "-a", "-o", "x.ts")).toMatchObject({ kind: "invalid_params" });
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
