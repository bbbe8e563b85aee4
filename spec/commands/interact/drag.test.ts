/** Dragging, also on boards that no page makes itself: what an answer says of them is what the page holds. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import type { Site } from "../../harness/site.ts";
import { serveWidgets } from "../../harness/widgets.ts";

const DROPS = `<!doctype html><title>Drops</title>
<div id="item" draggable="true" style="width:80px">Item</div><div id="bin" style="width:200px;height:60px">Bin</div>
<p id="said"></p><script>
  item.ondragstart = (event) => event.dataTransfer.setData("text/plain", "carried");
  bin.ondragover = (event) => event.preventDefault();
  bin.ondrop = (event) => { event.preventDefault(); said.textContent += event.dataTransfer.getData("text/plain"); };
</script>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await serveWidgets("board");
  site.set("/drops", DROPS);
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("drag", () => {
  test("carries an element's data onto another", async () => {
    await project.run("goto", `${site.url}/drops`, "--wait", "load");
    expect(await project.run("drag", "#item", "#bin")).toMatch(/^Dragged @e\d+ \[generic\].* onto @e\d+/);
    await expect.poll(() => project.run("text", "#said")).toBe("carried");
    expect(await project.refusal("drag", "#item")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("drag", "#item", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  beforeEach(async () => void (await project.run("goto", `${site.url}/board.html`, "--wait", "load")));

  test.each([
    ["SortableJS", "Write docs", "text=Sleep", "Done", "2 of 4"],
    ["SortableJS", "Fix bug", "text=Dance", "In progress", "3 of 4"],
    ["SortableJS' own dragging", "Uno", "text=Zwei", "Three", "2 of 4"],
  ])("%s: %s lands by %s, in the list that the answer names", async (_library, card, onto, column, position) => {
    const answer = await project.run("drag", `text=${card}`, onto);
    expect(answer).toContain(`[listitem] text="${card}" onto`);
    expect(answer).toMatch(new RegExp(`: now ${position} in @e\\d+ \\[list\\] "${column}"`));
    const shown = `[...document.querySelectorAll("ul")].find((list) => list.textContent.includes("${card}")).ariaLabel`;
    expect(await project.run("js", shown)).toBe(column);
  });

  test("dnd-kit: a card lands in the column that the answer names", async () => {
    const { place } = await project.json("drag", "text=Alpha", "role=region[name=Closed]");
    expect(place).toMatchObject({ moved: true, position: 1, of: 2, holder: { role: "region", name: "Closed" } });
    expect(await project.run("text", "role=region[name=Closed]")).toContain("Alpha");
  });

  test("says that nothing has moved", async () => {
    const { place } = await project.json("drag", "text=Alpha", "text=Eins");
    expect(place).toMatchObject({ moved: false, position: 1, of: 2, holder: { name: "Open" } });
  });
});
