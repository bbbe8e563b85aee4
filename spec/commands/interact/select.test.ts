/** Lists that no page makes itself: what an answer says of them is what the page holds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import type { Site } from "../../harness/site.ts";
import { serveWidgets } from "../../harness/widgets.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await serveWidgets("lists");
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function held(name: string): Promise<unknown> {
  return JSON.parse(await project.run("js", `JSON.stringify(held[${JSON.stringify(name)}] ?? null)`));
}

async function openLists(): Promise<string> {
  const open = "[aria-expanded=true], .ts-dropdown:not([style*=none])";
  return await project.run("js", `String(document.querySelectorAll(${JSON.stringify(open)}).length)`);
}

const FRUIT = ".choices";

describe("select, on lists of other people's making,", () => {
  beforeEach(async () => void (await project.run("goto", `${site.url}/lists.html`, "--wait", "load")));

  it.each([
    ["tom-select", "role=combobox[name=Clinic]", "Estrela", "clinic", "e"],
    ["tom-select of several", "role=combobox[name=Tags]", "Beta", "tags", "b"],
    ["Choices", FRUIT, "Banana", "fruit", "b"],
    ["Shoelace", "role=combobox[name=Language]", "Português", "language", "pt"],
    ["React Select", "role=combobox[name=City]", "Porto", "city", "porto"],
    ["React Select of several, in a portal", "role=combobox[name=Cities]", "Coimbra", "cities", "coimbra"],
    ["Material's Autocomplete", "role=combobox[name=Town]", "Coimbra", "town", "Coimbra"],
    ["Material's Select", "role=combobox[name=Size]", "Large", "size", "l"],
  ])("%s: takes the option, and leaves no list open", async (_library, target, option, name, value) => {
    expect(await project.run("select", target, option)).toContain(`Selected "${option}"`);
    expect(await held(name)).toBe(value);
    expect(await openLists()).toBe("0");
  });

  it.each([
    ["tom-select", "role=combobox[name=Clinic]", '"Belém", "Estrela", "Graça"'],
    ["Material's Select", "role=combobox[name=Size]", '"Small", "Large"'],
  ])("%s: says what there is when an option is not, and closes what it opened", async (_library, target, options) => {
    const { kind, hint } = await project.refusal("select", target, "Nowhere");
    expect({ kind, hint }).toEqual({ kind: "not_found", hint: `Its options: ${options}` });
    expect(await openLists()).toBe("0");
    expect(await project.run("js", "document.querySelector('#clinic-ts-control').value")).toBe("");
  });

  it("takes one after another of the same list", async () => {
    for (const [option, value] of [
      ["Estrela", "e"],
      ["Graça", "g"],
      ["Belém", "b"],
    ]) {
      await project.run("select", "role=combobox[name=Clinic]", option as string);
      expect(await held("clinic")).toBe(value);
      await project.run("click", "label=First name");
    }
  });

  it("presses no option of a list that another control has open", async () => {
    await project.run("click", "role=combobox[name=City]");
    const { kind, message } = await project.refusal("select", "label=First name", "Lisbon");
    expect(kind).toBe("invalid_params");
    expect(message).toMatch(/^@e\d+ \[textbox\] "First name" is not a list/);
    expect(await held("city")).toBeNull();
  });

  it("opens with a click a list that does so when the mouse comes down", async () => {
    expect(await project.run("click", "role=combobox[name=Size]")).toMatch(/^Clicked @e\d+ \[combobox\] "Size"/);
    await project.run("click", "role=option[name=Small]");
    expect(await held("size")).toBe("s");
  });
});
