import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

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

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/uploads": UPLOADS });
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

  it("is what a click that opens a chooser says to call, and answers it without saying so again", async () => {
    const clicked = await project.run("click", "#opens");
    const [, ref = ""] = /→ the page asks for a file: `browse upload (@e\d+) <path>` gives it$/.exec(clicked) ?? [];
    expect(await project.run("upload", ref, "b.txt")).not.toContain("asks for");
    await expect.poll(said).toBe("b.txt=B");
    expect(await project.json("click", "#many")).toMatchObject({ effect: { choosing: { multiple: true } } });
    expect(await project.run("click", "#styled")).toContain("the page asks for a file");
    await project.run("focus", "#one");
    expect(await project.run("press", "Enter")).toContain("`browse upload <ref> <path>`");
    expect(await project.run("click", "#idle")).toContain("no change");
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
