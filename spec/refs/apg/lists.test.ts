/** The patterns to choose from: comboboxes, list boxes and menus, each driven to its documented end state by refs alone. */
import { describe, expect, it } from "vitest";
import { usePatterns } from "./patterns.ts";

const { click, focus, focused, js, lines, linesOf, open, press, ref, refusal, run, textOf } = usePatterns();

describe("an editable combobox with list autocomplete", () => {
  const CLOSED = '[combobox] "Country"';

  it("filters as it is filled, and takes the option that is clicked", async () => {
    await open("combobox_editable");
    await run("fill", await ref(CLOSED), "Po");
    expect(await linesOf("combobox")).toEqual(['[combobox] "Country" value="Po" expanded focused']);
    expect(await linesOf("option")).toEqual(['[option] "Poland"', '[option] "Portugal"']);
    await click('[option] "Portugal"');
    expect(await linesOf("combobox")).toEqual(['[combobox] "Country" value="Portugal" collapsed focused']);
    expect(await run("value", await ref(CLOSED))).toBe("Portugal");
    expect(await linesOf("option")).toEqual([]);
  });

  it("is driven by keys: arrows move the highlight, Enter takes it, Escape closes and then clears", async () => {
    await open("combobox_editable");
    await focus(CLOSED);
    await run("type", "sw");
    await press("ArrowDown", "ArrowDown");
    expect(await linesOf("option")).toEqual(['[option] "Sweden"', '[option] "Switzerland" selected']);
    await press("Enter");
    expect(await run("value", await ref(CLOSED))).toBe("Switzerland");
    await press("ArrowDown", "Escape");
    expect(await linesOf("combobox")).toEqual(['[combobox] "Country" value="Switzerland" collapsed focused']);
    await press("Escape");
    expect(await run("value", await ref(CLOSED))).toBe("");
  });

  it("shows every option from its button", async () => {
    await open("combobox_editable");
    await click('[button] "Countries"');
    expect(await linesOf("button")).toEqual(['[button] "Countries" expanded']);
    expect(await linesOf("option")).toHaveLength(8);
    await click('[option] "Peru"');
    expect(await textOf("country")).toBe("Peru");
  });

  it("takes an option by `select`, which types to have it offered", async () => {
    await open("combobox_editable");
    expect(await run("select", await ref(CLOSED), "Norway")).toContain('Selected "Norway"');
    expect(await textOf("country")).toBe("Norway");
    expect(await linesOf("combobox")).toEqual(['[combobox] "Country" value="Norway" collapsed focused']);
  });

  it("names the options there are when `select` finds none of that name", async () => {
    await open("combobox_editable");
    await click('[button] "Countries"');
    expect(await refusal("select", await ref(CLOSED), "Atlantis")).toMatchObject({
      kind: "not_found",
      options: expect.arrayContaining(["Cyprus", "Norway"]),
    });
  });
});

describe("a select-only combobox", () => {
  const FRUIT = '[combobox] "Favorite fruit"';

  it("opens at a click, and takes the option that is clicked", async () => {
    await open("combobox_select_only");
    expect(await linesOf("combobox")).toEqual([`${FRUIT} value="Choose a fruit" collapsed`]);
    await click(FRUIT);
    expect(await linesOf("option")).toEqual([
      '[option] "Apple"',
      '[option] "Apricot"',
      '[option] "Banana"',
      '[option] "Cherry"',
      '[option] "Durian" disabled',
    ]);
    await click('[option] "Banana"');
    expect(await linesOf("combobox")).toEqual([`${FRUIT} value="Banana" collapsed focused`]);
    expect(await run("value", await ref(FRUIT))).toBe("Banana");
  });

  it("takes the option that is typed to", async () => {
    await open("combobox_select_only");
    await focus(FRUIT);
    await run("type", "apr");
    await press("Enter");
    expect(await textOf("fruit")).toBe("Apricot");
    await press("Space");
    expect(await linesOf("option")).toContain('[option] "Apricot" selected');
    await press("ArrowDown", "Escape");
    expect(await linesOf("combobox")).toEqual([`${FRUIT} value="Apricot" collapsed focused`]);
  });

  it("takes an option by `select`, and refuses a disabled one", async () => {
    await open("combobox_select_only");
    await run("select", await ref(FRUIT), "Cherry");
    expect(await textOf("fruit")).toBe("Cherry");
    expect(await refusal("select", await ref(FRUIT), "Durian")).toMatchObject({ kind: "disabled" });
    expect(await textOf("fruit")).toBe("Cherry");
  });
});

describe("a list box", () => {
  it("of one choice selects an option that has to be scrolled to", async () => {
    await open("listbox_single");
    expect(await linesOf("option")).toHaveLength(10);
    await click('[option] "Neon"');
    expect(await linesOf("option")).toContain('[option] "Neon" selected');
    expect(await textOf("chosen")).toBe("Neon");
    expect(await js("document.getElementById('list').scrollTop > 0")).toBe(true);
  });

  it("of one choice follows the keys", async () => {
    await open("listbox_single");
    await focus('[listbox] "Element"');
    await press("End", "ArrowUp", "ArrowUp");
    expect(await textOf("chosen")).toBe("Oxygen");
    await press("b");
    expect((await linesOf("option")).filter((line) => line.endsWith("selected"))).toEqual([
      '[option] "Beryllium" selected',
    ]);
    await run("select", await ref('[listbox] "Element"'), "Carbon");
    expect(await textOf("chosen")).toBe("Carbon");
  });

  it("of several toggles each, extends with Shift, and gives them to its button", async () => {
    await open("listbox_multi");
    expect(await linesOf("button")).toEqual(['[button] "Add to order"']);
    await click('[option] "Leather trim"');
    expect(await linesOf("button")).toEqual(['[button] "Add to order" disabled']);
    expect(await refusal("click", await ref('"Add to order"'))).toMatchObject({ kind: "disabled" });
    await click('[option] "Power seats"');
    await click('[option] "Sunroof"', "--modifiers", "Shift");
    expect(await linesOf("option")).toEqual([
      '[option] "Leather trim"',
      '[option] "Power seats" selected',
      '[option] "Winter tires" selected',
      '[option] "Sunroof" selected focused',
    ]);
    await click('[button] "Add to order"');
    expect(await textOf("order")).toBe("Power seatsWinter tiresSunroof");
    expect(await linesOf("option")).toEqual(['[option] "Leather trim"']);
  });

  it("of several takes many by keys and by `select`", async () => {
    await open("listbox_multi");
    await focus('[option] "Leather trim"');
    await press("ArrowDown", "Space", "Shift+ArrowDown");
    expect(await js("chosen().map((option) => option.textContent)")).toEqual([
      "Leather trim",
      "Power seats",
      "Winter tires",
    ]);
    await press("Control+A");
    expect(await js("chosen().length")).toBe(4);
    await open("listbox_multi");
    await run("select", await ref('[listbox] "Upgrades"'), "Power seats", "Sunroof");
    expect(await js("chosen().map((option) => option.textContent)")).toEqual(["Power seats", "Sunroof"]);
  });
});

describe("a menu button", () => {
  it("opens its menu with the focus in it, performs the item and gives the focus back", async () => {
    await open("menu_button");
    expect(await linesOf("button")).toEqual(['[button] "Actions" collapsed', '[button] "Below the menu"']);
    await click('[button] "Actions"');
    expect(await lines()).toEqual(
      expect.arrayContaining([
        '[button] "Actions" expanded',
        '[menu] "Actions"',
        '[menuitem] "Rename" focused',
        '[menuitem] "Duplicate"',
        '[menuitem] "Archive" disabled',
        '[menuitem] "Delete"',
      ]),
    );
    await click('[menuitem] "Duplicate"');
    expect(await textOf("last")).toBe("Duplicate");
    expect(await linesOf("button")).toContain('[button] "Actions" collapsed focused');
    expect(await linesOf("menuitem")).toEqual([]);
  });

  it("goes by arrows, letters and Escape, and keeps a disabled item from clicks", async () => {
    await open("menu_button");
    await focus('[button] "Actions"');
    await press("ArrowUp");
    expect(await focused()).toBe("Delete");
    await press("ArrowDown", "d");
    expect(await linesOf("menuitem")).toContain('[menuitem] "Duplicate" focused');
    expect(await refusal("click", await ref('[menuitem] "Archive"'))).toMatchObject({ kind: "disabled" });
    await press("Enter");
    expect(await textOf("last")).toBe("Duplicate");
    await press("Enter", "Escape");
    expect(await linesOf("button")).toContain('[button] "Actions" collapsed focused');
  });
});

describe("a menu in a portal", () => {
  /** It opens a frame after the press, when the press has been answered. */
  async function openView(): Promise<void> {
    await click('[button] "View"');
    await run("wait", "[role=menu]");
  }

  it("is operated where it was put, with its choices and a submenu", async () => {
    await open("menu_portal");
    await openView();
    expect(await lines()).toEqual([
      '[heading] "Photos" level=1',
      '[button] "View" expanded',
      '[button] "Share"',
      '[status]: "date"',
      '[status]: "off"',
      '[status]: "nothing"',
      '[menu] "View"',
      '[menuitemradio] "By date" checked focused',
      '[menuitemradio] "By name"',
      '[menuitemradio] "By size"',
      '[menuitemcheckbox] "Grid"',
      '[menuitem] "Export" collapsed',
    ]);
    await click('[menuitemradio] "By size"');
    expect(await textOf("sort")).toBe("size");
    await openView();
    await run("check", await ref('[menuitemcheckbox] "Grid"'));
    await openView();
    expect(await lines()).toEqual(
      expect.arrayContaining(['[menuitemradio] "By size" checked', '[menuitemcheckbox] "Grid" checked']),
    );
    await click('[menuitem] "Export"');
    expect(await lines()).toEqual(expect.arrayContaining(['[menuitem] "Export" expanded', '[menu] "Export"']));
    await click('[menuitem] "Archive"');
    expect(await js("[sort.value, grid.value, document.getElementById('export').value]")).toEqual([
      "size",
      "on",
      "Archive",
    ]);
    expect(await linesOf("button")).toEqual(['[button] "View" collapsed focused', '[button] "Share"']);
  });

  it("takes a choice by `select` on the button that opens it", async () => {
    await open("menu_portal");
    await run("select", await ref('[button] "View"'), "By name");
    expect(await textOf("sort")).toBe("name");
    await press("Enter");
    await run("wait", "[role=menu]");
    await press("ArrowDown", "Escape");
    expect(await linesOf("button")).toContain('[button] "View" collapsed focused');
  });
});
