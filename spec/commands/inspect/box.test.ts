import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const PAGE = `<!doctype html><title>Cards</title><main><button id="buy">Buy</button></main><p id="hidden" hidden>Hidden</p>
<iframe srcdoc="<p id=deep>In a frame</p>"></iframe>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": PAGE });
  project = await SharedProject.open();
  await project.run("goto", site.url);
  await project.run("wait", "--load");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("box", () => {
  it("tells place and size in the page's viewport", async () => {
    const { x, y, width, height } = await project.json("box", "#buy");
    expect(await project.run("js", "Object.values(buy.getBoundingClientRect().toJSON()).slice(0, 4).join()")).toBe(
      [x, y, width, height].join(),
    );
    expect(await project.run("box", "#buy")).toBe(`${x},${y} ${width}x${height}`);
  });

  it("measures through frames", async () => {
    const ref = await project.ref("In a frame");
    const [frame, deep] = [await project.json("box", "iframe"), await project.json("box", ref)];
    const inner = "document.querySelector('iframe').contentDocument.getElementById('deep').getBoundingClientRect().y";
    const border = 2;
    expect(deep.y).toBe(Number(frame.y) + border + Number(await project.run("js", inner)));
  });

  it("refuses what has no box", async () => {
    expect(await project.refusal("box", "#hidden")).toMatchObject({ kind: "not_visible", exitCode: 1 });
    expect(await project.refusal("box")).toMatchObject({ kind: "invalid_params", message: "Missing <target>" });
  });
});
