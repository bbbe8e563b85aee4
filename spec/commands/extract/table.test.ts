import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const TABLES = `<!doctype html><title>Tables</title>
<table id="spans"><caption>Sales</caption>
  <thead><tr><th rowspan="2">Year<th colspan="2">Sold<tr><th>home<th>abroad</thead>
  <tbody><tr><td rowspan="2">2024<td>1,5<td>say "two"<tr><td colspan="2">line one<br>line two<tr style="display:none"><td>hidden<td>x<td>y</tbody>
  <tfoot><tr><td>Sum<td>3<td style="display:none">gone<td>4</tfoot></table>
<div id="two"><table><tr><td>a</table><table><tr><td>b</table></div>
<div id="nested"><table id="outer"><tr><th>Name<th>Inner<tr><td>n<td><table><tr><td>in<td>side</table></table></div>
<div id="grid" role="grid"><div role="row"><span role="gridcell">cell</span></div></div>
<table id="empty"></table>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/tables": TABLES });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("table", () => {
  it("fills every place that a cell spans, joins headings, and leaves out what is hidden", async () => {
    await project.run("goto", `${site.url}/tables`);
    expect(await project.json("table", "#spans")).toEqual({
      caption: "Sales",
      columns: ["Year", "Sold / home", "Sold / abroad"],
      rows: [
        ["2024", "1,5", 'say "two"'],
        ["2024", "line one\nline two", "line one\nline two"],
        ["Sum", "3", "4"],
      ],
    });
  });

  it("is CSV as RFC 4180 has it: quotes doubled, lines ended by CR LF", async () => {
    await project.run("goto", `${site.url}/tables`);
    expect((await project.json("table", "#spans", "--csv")).csv).toBe(
      [
        "Year,Sold / home,Sold / abroad",
        '2024,"1,5","say ""two"""',
        '2024,"line one\nline two","line one\nline two"',
        "Sum,3,4",
        "",
      ].join("\r\n"),
    );
    expect((await project.cli(["table", "#spans", "--csv"])).stdout).toMatch(/sold \/ abroad\r\n2024,.*\r\n$/is);
    expect(await project.run("table", "#empty", "--csv")).toBe("");
  });

  it("reads the one table inside an element, and the outer one of two that are nested", async () => {
    await project.run("goto", `${site.url}/tables`);
    expect(await project.json("table", "#nested")).toMatchObject({
      columns: ["Name", "Inner"],
      rows: [["n", "in\tside"]],
    });
    expect(await project.json("table", await project.ref("[table]", "-s", "#nested"))).toMatchObject({
      columns: ["Name", "Inner"],
    });
    expect(await project.json("table", "#empty")).toEqual({ caption: "", columns: [], rows: [] });
  });

  it("refuses what is no table, several of them, and nothing", async () => {
    await project.run("goto", `${site.url}/tables`);
    expect(await project.refusal("table", "#two")).toMatchObject({ kind: "ambiguous", count: 2 });
    expect(await project.refusal("table", "#grid")).toMatchObject({
      kind: "invalid_params",
      hint: expect.stringContaining("browse text"),
    });
    expect(await project.refusal("table", "#nowhere")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("table")).toMatchObject({ kind: "invalid_params" });
    expect(await project.refusal("table", "@e9999")).toMatchObject({ kind: "unknown_ref" });
  });
});
