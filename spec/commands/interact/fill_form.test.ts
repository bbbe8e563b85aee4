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

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/form": FORM });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

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
