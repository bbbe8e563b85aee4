/** The patterns of one control or a form of them, each driven to its documented end state by refs alone. */
import { describe, expect, it } from "vitest";
import { usePatterns } from "./patterns.ts";

const { click, focus, focused, js, lines, linesOf, open, press, ref, refusal, run, textOf } = usePatterns();

describe("a modal dialog", () => {
  it("takes the focus, covers the page, is filled in and gives the focus back", async () => {
    await open("dialog");
    const pay = await ref('[button] "Pay now"');
    await click('[button] "Add delivery address"');
    expect(await linesOf("dialog")).toEqual(["[dialog]"]);
    expect(await linesOf("heading")).toContain('[heading] "Delivery address" level=2');
    expect(await linesOf("textbox")).toEqual(['[textbox] "Street" required focused', '[textbox] "City" required']);
    expect(await refusal("click", pay)).toMatchObject({
      kind: "covered",
    });
    await run("fill", await ref('[textbox] "Street"'), "Rua 5");
    await run("fill", await ref('[textbox] "City"'), "Lisbon");
    await click('[button] "Save"');
    expect(await textOf("address")).toBe("Rua 5, Lisbon");
    expect(await linesOf("dialog")).toEqual([]);
    expect(await linesOf("button")).toEqual(['[button] "Add delivery address" focused', '[button] "Pay now"']);
  });

  it("keeps Tab inside and is left by Escape", async () => {
    await open("dialog");
    await click('[button] "Add delivery address"');
    await press("Shift+Tab");
    expect(await linesOf("button")).toContain('[button] "Cancel" focused');
    await press("Tab");
    expect(await linesOf("textbox")).toContain('[textbox] "Street" required focused');
    await press("Escape");
    expect(await linesOf("dialog")).toEqual([]);
    expect(await textOf("address")).toBe("none");
    expect(await focused()).toBe("Add delivery address");
  });
});

describe("a slider", () => {
  it("goes by steps, by pages and to its ends, each alone", async () => {
    await open("slider");
    await focus('[slider] "Temperature"');
    await press("ArrowRight", "ArrowRight", "PageDown");
    expect(await linesOf("slider")).toEqual([
      '[slider] "Temperature" value="22 degrees" focused',
      '[slider] "Rating" value="0 of five stars"',
    ]);
    await focus('[slider] "Rating"');
    await press("End", "ArrowUp", "ArrowLeft");
    expect(await js("[temperature.ariaValueNow, rating.ariaValueNow]")).toEqual(["22", "4"]);
    expect(await linesOf("slider")).toContain('[slider] "Rating" value="4 of five stars" focused');
    expect(await run("value", await ref('[slider] "Rating"'))).toBe("4 of five stars");
  });
});

describe("a spin button", () => {
  it("is filled, stepped and stopped at its ends", async () => {
    await open("spinbutton");
    expect(await linesOf("spinbutton")).toEqual([
      '[spinbutton] "Adults" value="1"',
      '[spinbutton] "Animals" value="0"',
      '[spinbutton] "Nights" value="2 nights"',
    ]);
    await click('[button] "Add adult"');
    await focus('[spinbutton] "Adults"');
    await press("ArrowUp", "PageUp", "PageUp");
    expect(await linesOf("button")).toContain('[button] "Add adult" disabled');
    expect(await run("value", await ref('[spinbutton] "Adults"'))).toBe("8");
    await run("fill", await ref('[spinbutton] "Animals"'), "99");
    await focus('[spinbutton] "Nights"');
    await press("ArrowDown", "ArrowDown");
    expect(await linesOf("spinbutton")).toEqual([
      '[spinbutton] "Adults" value="8"',
      '[spinbutton] "Animals" value="3"',
      '[spinbutton] "Nights" value="1 nights" focused',
    ]);
    expect(await js("[adults.value, animals.value, count.textContent]")).toEqual(["8", "3", "1"]);
  });
});

describe("a switch", () => {
  it("is turned on and off by `check` and `uncheck`, whatever it is made of", async () => {
    await open("switch");
    for (const name of ["Notifications", "Dark mode"]) await run("check", await ref(`[switch] "${name}"`));
    await run("uncheck", await ref('[switch] "Lights"'));
    expect(await linesOf("switch")).toEqual([
      '[switch] "Notifications" checked',
      '[switch] "Lights" focused',
      '[switch] "Dark mode" checked',
      '[switch] "Two-factor sign-in" checked disabled',
    ]);
    expect(await js("[notify.ariaChecked, lights.ariaChecked, dark.checked]")).toEqual(["true", "false", true]);
    expect(await run("is", "checked", await ref('[switch] "Notifications"'))).toBe("true");
    await focus('[switch] "Notifications"');
    await press("Space");
    expect(await js("notify.ariaChecked")).toBe("false");
    expect(await refusal("uncheck", await ref('"Two-factor'))).toMatchObject({ kind: "disabled" });
  });

  it("of three states is mixed until it is checked, and takes its parts along", async () => {
    await open("switch");
    expect(await linesOf("checkbox")).toEqual([
      '[checkbox] "All condiments" checked=mixed',
      '[checkbox] "Mustard" checked',
      '[checkbox] "Relish"',
    ]);
    await run("check", await ref('[checkbox] "All condiments"'));
    await run("uncheck", await ref('[checkbox] "Mustard"'));
    expect(await linesOf("checkbox")).toEqual([
      '[checkbox] "All condiments" checked=mixed',
      '[checkbox] "Mustard" focused',
      '[checkbox] "Relish" checked',
    ]);
  });
});

describe("a toolbar", () => {
  it("keeps pressed buttons, checked ones and disabled ones apart, under its name", async () => {
    await open("toolbar");
    await click('[button] "Bold"');
    await run("check", await ref('[radio] "Right"'));
    await run("check", await ref('[checkbox] "Night mode"'));
    expect(await lines()).toEqual([
      '[heading] "Editor" level=1',
      '[toolbar] "Text formatting"',
      '[button] "Bold" pressed',
      '[button] "Italic" not-pressed',
      '[radiogroup] "Alignment"',
      '[radio] "Left"',
      '[radio] "Center"',
      '[radio] "Right" checked',
      '[button] "Cut" disabled',
      '[checkbox] "Night mode" checked focused',
      '[link] "Help"',
      '[textbox] "Text" value="I know not what"',
    ]);
    expect(await js("[text.style.fontWeight, text.style.textAlign]")).toEqual(["bold", "right"]);
  });

  it("is one stop of Tab, with arrows inside, and enables what a selection allows", async () => {
    await open("toolbar");
    await focus('[button] "Bold"');
    await press("ArrowRight", "Space", "Tab", "Control+A");
    expect(await linesOf("button")).toEqual([
      '[button] "Bold" not-pressed',
      '[button] "Italic" pressed',
      '[button] "Cut"',
    ]);
    await click('[button] "Cut"');
    expect(await run("value", await ref('[textbox] "Text"'))).toBe("");
  });
});

describe("controlled inputs", () => {
  it("keep what is filled, typed, selected and checked, as the page's state has it", async () => {
    await open("controlled_input");
    expect(await linesOf("button")).toEqual(['[button] "Create account" disabled']);
    await run("fill", await ref('[textbox] "Name"'), "Ada L");
    await focus('[textbox] "Name"');
    await press("End");
    await run("type", ".");
    await run("fill", await ref('[textbox] "Coupon"'), "ab-12");
    await run("select", await ref('[combobox] "Plan"'), "Pro");
    await run("check", await ref('[checkbox] "I accept the terms"'));
    expect(await lines()).toEqual([
      '[heading] "Sign up" level=1',
      '[textbox] "Name" value="Ada L."',
      '[textbox] "Coupon" value="AB12"',
      '[combobox] "Plan" value="Pro"',
      '[option] "Free"',
      '[option] "Pro" selected',
      '[checkbox] "I accept the terms" checked focused',
      '[button] "Create account"',
    ]);
    await click('[button] "Create account"');
    expect(await textOf("sent")).toBe('["Ada L.","AB12","pro"]');
    await run("fill", await ref('[textbox] "Name"'), "");
    expect(await linesOf("button")).toEqual(['[button] "Create account" disabled']);
    expect(await js("state")).toMatchObject({ name: "", coupon: "AB12", plan: "pro", terms: true });
  });
});
