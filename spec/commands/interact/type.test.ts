import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/keys": `<!doctype html><title>Keys</title><input id="field" onkeydown="log.textContent += 'key ' + event.key">
      <pre id="log"></pre>`,
    "/fields": `<!doctype html><title>Fields</title><label>Search <input value=old></label><label>Mail <input type=email
      value=a@b.c></label><label>Notes <textarea>One</textarea></label><div contenteditable aria-label=Rich>Two</div>`,
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("type", () => {
  it("types where the focus is", async () => {
    await project.run("goto", `${site.url}/keys`);
    await project.run("focus", "#field");
    expect(await project.run("type", "Hi", "there")).toMatch(/^Typed 8 characters/);
    expect(await project.run("value", "#field")).toBe("Hi there");
    expect(await project.run("text", "#log")).toContain("key H");
  });

  it("types into the element before the text, and says what has it", async () => {
    await project.run("goto", `${site.url}/fields`);
    expect(await project.run("type", "hello")).toMatch(/^Typed 5 characters; nothing had the focus/);
    expect(await project.run("type", "label=Search", "desk", "lamp")).toMatch(
      /^Typed 9 characters into @e\d+ \[textbox\] "Search"/,
    );
    expect(await project.run("value", "label=Search")).toContain("desk lamp");
    const { stdout } = await project.cli(["type", await project.ref("Search", "-i"), "-"], { stdin: "!" });
    expect(stdout).toMatch(/^Typed 1 character into/);
    expect(await project.run("type", "again")).toMatch(/^Typed 5 characters into @e\d+ \[textbox\] "Search"/);
  });

  it.each([
    ["label=Search", "old"],
    ["label=Mail", "a@b.c"],
    ["label=Notes", "One"],
    ["label=Rich", "Two"],
  ])("adds to what %s holds, and goes on where the caret is", async (field, held) => {
    await project.run("goto", `${site.url}/fields`);
    await project.run("type", "--into", field, "xy");
    expect(await project.run("value", field)).toBe(`${held}xy`);
    await project.run("press", "ArrowLeft");
    await project.run("type", field, "z");
    expect(await project.run("value", field)).toBe(`${held}xzy`);
  });

  it.each(["#id", ".name", "input[type=email]", "[type=email]", "textarea"])(
    "asks which it is where the first word may be the selector %s or text",
    async (word) => {
      await project.run("goto", `${site.url}/fields`);
      await project.run("focus", "label=Search");
      const { kind, message, hint } = await project.refusal("type", word, "hidden words");
      expect([kind, hint]).toEqual(["invalid_params", expect.stringContaining("--into <selector>")]);
      expect(message + hint).not.toContain("hidden");
      expect(await project.run("value", "label=Search")).toBe("old");
      await project.run("type", "--into", "label=Search", word, "words");
      expect(await project.run("value", "label=Search")).toContain(`${word} words`);
    },
  );

  it("takes one word for text, whatever it looks like", async () => {
    await project.run("goto", `${site.url}/fields`);
    await project.run("focus", "label=Search");
    await project.run("type", "@e3");
    expect(await project.run("value", "label=Search")).toContain("@e3");
  });
});
