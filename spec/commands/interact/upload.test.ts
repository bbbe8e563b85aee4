/** Many fields at once, files, and the mouse by hand, through the client. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const FORM = `<!doctype html><title>Form</title><form>
<label>City <input name="city"></label>
<label>Secret <input name="secret" type="password"></label>
<label>Day <input type="date" name="day"></label>
<label>Code <input name="code" maxlength="3"></label>
<label>Size <select name="size"><option>Small</option><option>Large</option></select></label>
<label>Colors <select name="colors" multiple><option>Red</option><option>Green</option><option>Blue</option></select></label>
<label><input type="checkbox" name="gift"> Gift</label>
<label><input type="checkbox" name="news" checked> News</label>
<label><input type="radio" name="pay" value="card"> Card</label>
<label>Off <input name="off" disabled></label>
<div role="textbox" contenteditable aria-label="Story"></div>
<button type="button">Send</button></form>
<p id="events"></p><script>
  let count = 0;
  for (const type of ["input", "change", "click", "focusin"])
    document.addEventListener(type, () => { events.textContent = String(++count); });
</script>`;

const UPLOADS = `<!doctype html><title>Uploads</title>
<label>One <input type="file" id="one"></label>
<label>Many <input type="file" id="many" multiple></label>
<input type="file" id="hidden" style="display:none"><label for="hidden" id="styled">Choose</label>
<button id="opens">Browse…</button><button id="idle">Idle</button>
<input type="file" id="off" disabled>
<p id="said"></p><script>
  const tell = async (files) => { said.textContent = (await Promise.all([...files].map(async (f) => f.name + "=" + await f.text()))).join(" "); };
  document.addEventListener("change", (event) => tell(event.target.files));
  opens.onclick = () => {
    const field = document.createElement("input");
    field.type = "file";
    field.onchange = () => tell(field.files);
    field.click();
  };
</script>`;

const DROPS = `<!doctype html><title>Drops</title>
<div id="zone" style="width:200px;height:60px">Zone</div><div id="wall" style="width:200px;height:60px">Wall</div>
<div id="item" draggable="true" style="width:80px">Item</div><div id="bin" style="width:200px;height:60px">Bin</div>
<iframe src="/zone"></iframe><p id="said"></p><script>
  const say = (text) => { said.textContent += text + " "; };
  zone.ondragover = (event) => event.preventDefault();
  zone.ondrop = async (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) say(event.isTrusted + ":" + file.name + "=" + await file.text());
  };
  item.ondragstart = (event) => event.dataTransfer.setData("text/plain", "carried");
  bin.ondragover = (event) => event.preventDefault();
  bin.ondrop = (event) => { event.preventDefault(); say(event.dataTransfer.getData("text/plain")); };
  addEventListener("message", (event) => say(event.data));
</script>`;

const ZONE = `<!doctype html><div id="inner" role="region" aria-label="Inner zone" style="height:60px">Inner zone</div><script>
  inner.ondragover = (event) => event.preventDefault();
  inner.ondrop = (event) => { event.preventDefault(); parent.postMessage("framed " + event.dataTransfer.files[0].name, "*"); };
</script>`;

const MOUSE = `<!doctype html><title>Mouse</title><style>body{margin:0;height:3000px}</style><p id="said" style="position:fixed;top:0"></p><script>
  const seen = [];
  for (const type of ["mousedown", "mouseup", "mousemove", "contextmenu"])
    addEventListener(type, (event) => {
      event.preventDefault();
      seen.push([type, event.clientX, event.clientY, event.button, event.buttons].join(","));
      said.textContent = seen.join(" ");
    });
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/form": FORM, "/uploads": UPLOADS, "/drops": DROPS, "/zone": ZONE, "/mouse": MOUSE });
  project = await SharedProject.open();
  for (const name of ["a", "b"]) writeFileSync(join(project.dir, `${name}.txt`), name.toUpperCase());
  mkdirSync(join(project.dir, "folder"));
  symlinkSync("/etc/hostname", join(project.dir, "link.txt"));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const said = async () => await project.run("text", "#said");

describe("fill-form", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/form`);
  });

  it("fills text, dates, lists, boxes and editors in one call", async () => {
    const fields = {
      "[name=city]": "Porto",
      "label=Day": "2027-03-04",
      "label=Code": 123,
      "label=Size": "Large",
      "label=Colors": ["Red", "Blue"],
      "label=Gift": true,
      "label=News": false,
      "role=textbox[name=Story]": "Once",
    };
    const refs = await project.run("fill-form", JSON.stringify(fields));
    expect(refs).toMatch(/^Filled @e\d+ \[textbox\] "City", /);
    const values = await project.run("js", "new URLSearchParams(new FormData(document.forms[0])).toString()");
    expect(values).toBe("city=Porto&secret=&day=2027-03-04&code=123&size=Large&colors=Red&colors=Blue&gift=on");
    expect(await project.run("text", "[role=textbox]")).toBe("Once");
  });

  it("takes a list, refs, and standard input, and never tells a value", async () => {
    const ref = await project.ref('"Secret"', "-i");
    const stdin = JSON.stringify([
      { target: ref, value: "hunter2-the-secret" },
      { target: "label=City", value: "Lisbon" },
    ]);
    const answer = await project.cli(["fill-form", "-"], { stdin });
    expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answer.stdout).not.toContain("hunter2");
    expect(await project.run("value", "[name=city]")).toBe("Lisbon");
    expect(await project.run("js", "document.forms[0].secret.value")).toBe("hunter2-the-secret");
    expect(await project.journal()).not.toContain("hunter2");
  });

  it.each([
    ["a field that is not there", { "#nowhere": "x" }, "not_found"],
    ["a disabled one", { "label=Off": "x" }, "disabled"],
    ["a value of the wrong form", { "label=Day": "tomorrow" }, "invalid_params"],
    ["a value that is too long", { "label=Code": "12345" }, "invalid_params"],
    ["an option that is not there", { "label=Size": "Huge" }, "not_found"],
    ["several options of a list of one", { "label=Size": ["Small", "Large"] }, "invalid_params"],
    ["true for a text field", { "label=Code": true }, "invalid_params"],
    ["text for a box", { "label=Gift": "yes" }, "invalid_params"],
    ["a button", { "text=Send": "x" }, "invalid_params"],
    ["the same field again", { "[name=city]": "x" }, "invalid_params"],
    ["a selector of several", { input: "x" }, "ambiguous"],
  ])("touches nothing when there is %s", async (_what, wrong, kind) => {
    const refusal = await project.refusal("fill-form", JSON.stringify({ "label=City": "Porto", ...wrong }));
    expect(refusal.kind).toBe(kind);
    expect(refusal.message).toContain("nothing was filled");
    expect(await project.run("text", "#events")).toBe("");
  });

  it("tells all that is wrong at once", async () => {
    const fields = { "label=City": "Porto", "label=Off": "x", "label=Size": "Huge" };
    const refusal = await project.refusal("fill-form", JSON.stringify(fields));
    expect(refusal.message).toContain("2 of 3 fields cannot be filled, so none was");
    expect(refusal.problems).toEqual([
      expect.objectContaining({ target: "label=Off", kind: "disabled" }),
      expect.objectContaining({ target: "label=Size", kind: "not_found" }),
    ]);
    expect(await project.run("value", "[name=city]")).toBe("");
  });

  it.each(["", "{}", "[]", "words", '{"a": null}', '[{"target": "a"}]', '["a"]'])("refuses %j", async (fields) => {
    expect(await project.refusal("fill-form", fields)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});

describe("upload", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/uploads`);
  });

  it("gives one file, several, and by a label or a hidden field", async () => {
    expect(await project.run("upload", "#one", "a.txt")).toMatch(/^Uploaded a\.txt to @e\d+ \[button\]/);
    await expect.poll(said).toBe("a.txt=A");
    await project.run("upload", "#many", "a.txt", "b.txt");
    await expect.poll(said).toBe("a.txt=A b.txt=B");
    await project.run("upload", "#styled", "b.txt");
    await expect.poll(said).toBe("b.txt=B");
    await project.run("upload", "#hidden", "a.txt");
    await expect.poll(said).toBe("a.txt=A");
  });

  it("answers the chooser that a button opens", async () => {
    await project.run("upload", "#opens", "b.txt");
    await expect.poll(said).toBe("b.txt=B");
  });

  it("refuses what takes no files, and several where one is taken", async () => {
    expect(await project.refusal("upload", "#idle", "a.txt")).toMatchObject({ kind: "not_found", exitCode: 1 });
    expect(await project.refusal("upload", "#one", "a.txt", "b.txt")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("upload", "#off", "a.txt")).toMatchObject({ kind: "disabled" });
    expect(await project.refusal("upload", "#one")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it.each([
    ["missing.txt", "not_found"],
    ["folder", "blocked_path"],
    ["link.txt", "blocked_path"],
    ["/etc/hostname", "blocked_path"],
    [".browse/daemon.json", "blocked_path"],
  ])("never reads %s, also as one of several", async (path, kind) => {
    expect(await project.refusal("upload", "#many", "a.txt", path)).toMatchObject({ kind });
    await expect.poll(said).toBe("");
  });
});

describe("drop", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/drops`, "--wait", "load");
  });

  it("gives the page real files by its own events, in frames too", async () => {
    expect(await project.run("drop", "#zone", "a.txt", "b.txt")).toContain("Dropped a.txt, b.txt on @e");
    await expect.poll(said).toBe("true:a.txt=A true:b.txt=B");
    await project.run("drop", await project.ref("Inner zone"), "b.txt");
    expect(await said()).toContain("framed b.txt");
  });

  it("drops nothing where the page takes nothing: the browser would open it", async () => {
    expect(await project.refusal("drop", "#wall", "a.txt")).toMatchObject({ kind: "invalid_params" });
    await expect.poll(said).toBe("");
    expect((await project.run("tabs")).match(/^.*t\d+/gm)).toHaveLength(1);
  });

  it("reads no file outside the project", async () => {
    expect(await project.refusal("drop", "#zone", "/etc/hostname")).toMatchObject({
      kind: "blocked_path",
      exitCode: 4,
    });
  });
});

describe("drag", () => {
  it("carries an element's data onto another", async () => {
    await project.run("goto", `${site.url}/drops`, "--wait", "load");
    expect(await project.run("drag", "#item", "#bin")).toMatch(/^Dragged @e\d+ \[generic\].* onto @e\d+/);
    await expect.poll(said).toBe("carried");
    expect(await project.refusal("drag", "#item")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("drag", "#item", "#nowhere")).toMatchObject({ kind: "not_found" });
  });
});

describe("mouse", () => {
  beforeEach(async () => {
    await project.run("goto", `${site.url}/mouse`);
  });

  it("keeps its place and its buttons from one command to the next", async () => {
    expect(await project.run("mouse", "move", "10", "20")).toMatch(/^Mouse move at 10,20/);
    await project.run("mouse", "down");
    await project.run("mouse", "move", "50", "60");
    await project.run("mouse", "up");
    await project.run("mouse", "down", "--button", "right");
    await project.run("mouse", "up", "--button", "right");
    const events = (await said()).split(" ");
    expect(events).toEqual(
      expect.arrayContaining([
        "mousedown,10,20,0,1",
        "mousemove,50,60,0,1",
        "mouseup,50,60,0,0",
        "mousedown,50,60,2,2",
        "mouseup,50,60,2,0",
      ]),
    );
  });

  it("turns its wheel", async () => {
    await project.run("mouse", "move", "100", "100");
    await project.run("mouse", "wheel", "400");
    await project.run("wait", "--fn", "scrollY === 400");
    await project.run("mouse", "wheel", "0", "-100");
    await project.run("wait", "--fn", "scrollY === 300");
  });

  it.each([[["move", "10"]], [["wheel"]], [["down", "1"]], [["move", "1", "2", "--button", "left"]], [["fly"]]])(
    "says what it takes: %j",
    async (argv) => {
      expect(await project.refusal("mouse", ...argv)).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    },
  );
});
