import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

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
  site = await Site.serve({ "/mouse": MOUSE });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const said = async () => await project.run("text", "#said");

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
