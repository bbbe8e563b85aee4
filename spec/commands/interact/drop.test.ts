import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const DROPS = `<!doctype html><title>Drops</title>
<div id="zone" style="width:200px;height:60px">Zone</div><div id="wall" style="width:200px;height:60px">Wall</div>
<iframe src="/zone"></iframe><p id="said"></p><script>
  const say = (text) => { said.textContent += text + " "; };
  zone.ondragover = (event) => event.preventDefault();
  zone.ondrop = async (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) say(event.isTrusted + ":" + file.name + "=" + await file.text());
  };
  addEventListener("message", (event) => say(event.data));
</script>`;

const ZONE = `<!doctype html><div id="inner" role="region" aria-label="Inner zone" style="height:60px">Inner zone</div><script>
  inner.ondragover = (event) => event.preventDefault();
  inner.ondrop = (event) => { event.preventDefault(); parent.postMessage("framed " + event.dataTransfer.files[0].name, "*"); };
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/drops": DROPS, "/zone": ZONE });
  project = await SharedProject.open();
  for (const name of ["a", "b"]) writeFileSync(join(project.dir, `${name}.txt`), name.toUpperCase());
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const said = async () => await project.run("text", "#said");

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
