import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/buttons": `<!doctype html><title>Buttons</title><a id="far" style="position:absolute;top:4000px" href="/">Far</a>
      <div id="pane" style="height:100px;overflow:auto"><div style="height:1000px">Top of the pane</div></div>`,
    "/long": `<!doctype html><title>Long</title><div style="height:5000px">Long</div>`,
    "/growing": `<!doctype html><title>Growing</title><ul id="list" style="height:200px;overflow:auto"></ul><script>
      const add = () => { for (let n = 0; n < 20; n++) list.insertAdjacentHTML("beforeend", "<li>" + (list.children.length + 1)); };
      let isLoading = false;
      list.onscroll = () => {
        if (isLoading || list.children.length >= 60 || list.scrollTop + list.clientHeight < list.scrollHeight - 10) return;
        isLoading = true;
        setTimeout(() => { isLoading = false; add(); }, 120);
      };
      add();</script>`,
    "/feed": `<!doctype html><title>Feed</title><div style="height:2000px">Start</div><script>
      let pages = 0;
      addEventListener("scroll", () => {
        if (pages < 3 && innerHeight + scrollY >= document.documentElement.scrollHeight - 10)
          document.body.append(Object.assign(document.createElement("div"), {textContent: "Part " + ++pages, style: "height:1000px"}));
      });</script>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("scroll", () => {
  it("moves the page, to its ends and back, and says how far", async () => {
    await project.run("goto", `${site.url}/long`);
    expect(await project.json("scroll", "--by", "300")).toMatchObject({ movedBy: 300, atEnd: false });
    expect(await project.json("scroll", "--by=-100")).toMatchObject({ movedBy: -100 });
    expect(await project.json("scroll", "--to", "bottom")).toMatchObject({ atEnd: true });
    expect(await project.run("scroll", "--to", "top")).toMatch(/^Scrolled -\d+ px, at the top/);
    const { movedBy } = await project.json("scroll");
    expect(movedBy).toBeGreaterThan(300);
    expect(await project.run("js", "scrollY")).toBe(String(movedBy));
  });

  it("goes on through a list that grows by a timer, and says that it is at the end only when nothing comes", async () => {
    await project.run("goto", `${site.url}/growing`);
    expect(await project.run("scroll", "#list", "--to", "bottom")).toMatch(
      /, now \d+ px from the top → \d+ nodes changed$/m,
    );
    const end = await project.run("scroll", "#list", "--to", "bottom", "--times", "10");
    expect(end).toMatch(/, at the end → \d+ nodes changed$/m);
    expect(await project.run("js", "list.children.length")).toBe("60");
  });

  it("brings an element into view, or scrolls within it", async () => {
    await project.run("goto", `${site.url}/buttons`);
    await project.run("scroll", "#far");
    expect(await project.run("js", "scrollY > 1000")).toBe("true");
    await project.run("scroll", "#pane", "--by", "50");
    expect(await project.run("js", "pane.scrollTop")).toBe("50");
  });

  it("goes on for pages that load more", async () => {
    await project.run("goto", `${site.url}/feed`);
    await project.run("scroll", "--to", "bottom", "--times", "6");
    expect(await project.run("text")).toContain("Part 3");
  });

  it("tells what its flags accept", async () => {
    expect(await project.refusal("scroll", "--to", "left")).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("top, bottom"),
    });
    expect(await project.refusal("scroll", "--by", "10", "--to", "bottom")).toMatchObject({
      exitCode: 2,
      message: '"scroll" takes --by or --to, not both',
    });
    expect(await project.refusal("scroll", "--by", "far")).toMatchObject({ flag: "--by", exitCode: 2 });
    expect(await project.refusal("scroll", "--times", "0")).toMatchObject({
      exitCode: 2,
      message: "--times must be at least 1, not 0",
    });
  });
});
