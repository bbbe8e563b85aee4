/** What one asks about an element: attributes, style, state, number, value. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const STATES = `<!doctype html><title>States</title>
<button id="on" class="big red" data-kind="main" style="color: rgb(1, 2, 3)">On</button>
<button id="off" disabled>Off</button>
<button id="gone" style="display:none">Gone</button>
<input id="text" value="written"><input id="fixed" readonly value="fixed">
<input id="yes" type="checkbox" checked><input id="no" type="checkbox">
<input id="secret" type="password" value="hunter2">
<select id="many" multiple><option selected>One</option><option>Two</option><option selected>Three</option></select>
<p id="plain">Text</p>`;

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": STATES });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
});

describe("an element", () => {
  it("tells its attributes and its style", async () => {
    expect(await project.run("attrs", "#on")).toBe(
      'id="on"\nclass="big red"\ndata-kind="main"\nstyle="color: rgb(1, 2, 3)"',
    );
    expect(await project.run("css", "#on", "color")).toBe("rgb(1, 2, 3)");
    expect(await project.run("css", "#on")).toContain("color: rgb(1, 2, 3)");
    expect(await project.refusal("css", "#on", "not a property")).toMatchObject({ exitCode: 2 });
    expect(await project.refusal("css", "#on", "colr")).toMatchObject({
      exitCode: 2,
      message: 'There is no CSS property "colr"',
    });
    expect(await project.run("css", "#on", "--", "--unset")).toBe("");
    expect(await project.refusal("attrs", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it.each([
    ["visible", "#on", "true"],
    ["visible", "#gone", "false"],
    ["hidden", "#gone", "true"],
    ["hidden", "#on", "false"],
    ["enabled", "#on", "true"],
    ["enabled", "#off", "false"],
    ["disabled", "#off", "true"],
    ["disabled", "#on", "false"],
    ["checked", "#yes", "true"],
    ["checked", "#no", "false"],
    ["editable", "#text", "true"],
    ["editable", "#fixed", "false"],
    ["focused", "#on", "false"],
  ])("answers `is %s %s` with %s", async (state, selector, expected) => {
    expect(await project.run("is", state, selector)).toBe(expected);
  });

  it("says of what is not there that it is hidden, and nothing else", async () => {
    expect(await project.run("is", "visible", "#nowhere")).toBe("false (nothing matches)");
    expect(await project.json("is", "hidden", "#nowhere")).toEqual({ state: "hidden", is: true, missing: true });
    expect(await project.refusal("is", "enabled", "#nowhere")).toMatchObject({ kind: "not_found" });
  });

  it("answers for a ref as for a selector", async () => {
    const ref = await project.ref('"On"', "-i");
    await project.run("focus", ref);
    expect(await project.run("is", "focused", ref)).toBe("true");
    expect(await project.run("is", "visible", ref)).toBe("true");
    expect(await project.run("attrs", ref)).toContain('id="on"');
    expect(await project.run("count", ref)).toBe("1");
  });

  it("tells which states there are", async () => {
    const refusal = await project.refusal("is", "shiny", "#on");
    expect(refusal.exitCode).toBe(2);
    expect(refusal.message).toContain("visible, hidden, enabled, disabled, checked, editable, focused");
  });

  it("is counted, seen or not", async () => {
    expect(await project.run("count", "button")).toBe("3");
    expect(await project.run("count", "video")).toBe("0");
    expect(await project.refusal("count", "##")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("tells its live value, and never a password", async () => {
    await project.run("fill", "#text", "rewritten");
    expect(await project.run("value", "#text")).toBe("rewritten");
    expect(await project.run("value", "#many")).toBe("One\nThree");
    expect(await project.json("value", "#secret")).toMatchObject({ masked: true });
    expect(await project.run("value", "#secret")).not.toContain("hunter2");
    expect(await project.refusal("value", "#plain")).toMatchObject({ kind: "invalid_params" });
    await project.run("fill", "#secret", "");
    expect(await project.json("value", "#secret")).toEqual({ value: "", masked: false });
  });
});
