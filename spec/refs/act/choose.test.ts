import { afterAll, beforeAll, expect, test } from "vitest";
import { setChecked } from "../../../refs/act/check.ts";
import { selectOptions } from "../../../refs/act/select_option.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function select(target: string, ...values: string[]): Promise<string[]> {
  const { tab, signal } = stage;
  return await selectOptions(tab, await stage.ref(target), values, { signal });
}

async function check(target: string, checked: boolean): Promise<boolean> {
  const { tab, signal } = stage;
  return await setChecked(tab, await stage.ref(target), checked, { signal });
}

const LIST = `<select oninput="say('input')" onchange="say('change ' + [...selectedOptions].map((o) => o.value))">
  <option value=a>Apple<option value=b label="Bee">x<option value=c> Big   Car <option value=d disabled>Dog</select>`;

test.each([
  ["b", "Bee"],
  ["Apple", "Apple"],
  ["Bee", "Bee"],
  ["Big Car", "Big Car"],
  ["big car", "Big Car"],
])("%s is selected by value, label or text", async (wanted, label) => {
  await stage.show(LIST);
  expect(await select("select", wanted)).toEqual([label]);
  expect(await stage.log()).toEqual(["input", expect.stringMatching(/^change [abc]$/)]);
});

test("several are selected, and only they", async () => {
  await stage.show(LIST.replace("<select", "<select multiple").replace("value=a", "value=a selected"));
  expect(await select("select", "b", "c")).toEqual(["Bee", "Big Car"]);
  expect(await stage.log()).toEqual(["input", "change b,c"]);
});

test("an unknown option is refused with those there are", async () => {
  await stage.show(LIST);
  const error = await errorOf(select("select", "Pear"));
  expect(error).toMatchObject({ kind: "not_found", details: { options: ["Apple", "Bee", "Big Car", "Dog"] } });
  expect(error.hint).toContain('"Apple"');
});

test("a field with suggestions takes one of them", async () => {
  await stage.show(
    `<input list=l onchange="say(value)"><datalist id=l><option value=a>Apple<option value=b>Pear</datalist>`,
  );
  expect(await select("input", "Pear")).toEqual(["Pear"]);
  expect(await stage.log()).toEqual(["b"]);
  expect(await errorOf(select("input", "Plum"))).toMatchObject({ kind: "not_found" });
});

test("disabled options, disabled lists and two values for one are refused", async () => {
  await stage.show(LIST);
  expect(await errorOf(select("select", "d"))).toMatchObject({ kind: "disabled" });
  expect(await errorOf(select("select", "a", "b"))).toMatchObject({ kind: "invalid_params" });
  await stage.show(LIST.replace("<select", "<select disabled"));
  expect(await errorOf(select("select", "a"))).toMatchObject({ kind: "disabled" });
});

/** A menu in a portal, as component libraries make it. */
const COMBOBOX = `<div role=combobox aria-label=Fruit tabindex=0 aria-expanded=false style="width: 100px">Choose</div><script>
  const box = document.querySelector("[role=combobox]");
  box.onclick = () => setTimeout(() => { const list = document.createElement("ul"); list.setAttribute("role", "listbox");
    list.innerHTML = ["Apple", "Apple pie", "Pear"].map((n) => "<li role=option>" + n + "</li>").join("");
    list.onclick = (event) => { say(event.target.textContent); box.textContent = event.target.textContent;
      list.remove(); box.setAttribute("aria-expanded", "false"); };
    document.body.append(list); box.setAttribute("aria-expanded", "true"); }, 50);</script>`;

test("a custom list is opened and its option pressed", async () => {
  await stage.show(COMBOBOX);
  expect(await select("role=combobox[name=Fruit]", "Apple")).toEqual(["Apple"]);
  expect(await stage.log()).toEqual(["Apple"]);
});

test("a custom list without the option says what it has", async () => {
  await stage.show(COMBOBOX);
  const error = await errorOf(select("role=combobox[name=Fruit]", "Plum"));
  expect(error).toMatchObject({ kind: "not_found", details: { options: ["Apple", "Apple pie", "Pear"] } });
});

test("options of an open list box are pressed where they are", async () => {
  await stage.show(
    `<ul role=listbox aria-label=Fruit onclick="say(event.target.textContent); event.target.ariaSelected = 'true'">
      <li role=option>Fig</li><li role=option>Pear</li></ul>`,
  );
  await select("role=listbox[name=Fruit]", "Pear");
  expect(await stage.log()).toEqual(["Pear"]);
});

test("an option that was pressed and is nowhere shown as chosen is not said to be", async () => {
  await stage.show(COMBOBOX.replace("box.textContent = event.target.textContent;", ""));
  const error = await errorOf(select("role=combobox[name=Fruit]", "Apple"));
  expect(error).toMatchObject({ kind: "outcome_unknown", message: expect.stringContaining("nothing shows that") });
  expect(await stage.log()).toEqual(["Apple"]);
});

test("the option that the arrow keys are at is not taken for chosen", async () => {
  await stage.show(`<input role=combobox aria-label=City aria-expanded=true aria-controls=l aria-activedescendant=o>
    <ul id=l role=listbox onclick="say(event.target.textContent); document.querySelector('input').value = 'Lisbon'; l.hidden = true">
      <li role=option id=o aria-selected=true>Lisbon</li></ul>`);
  await select("role=combobox[name=City]", "Lisbon");
  expect(await stage.log()).toEqual(["Lisbon"]);
});

test("what sends a form or leads elsewhere is not pressed to see whether it is a list", async () => {
  await stage.show(
    `<form onsubmit="say('sent'); return false"><button>Send</button><a href=#x onclick="say('x')">More</a></form>`,
  );
  for (const target of ["role=button[name=Send]", "role=link[name=More]"]) {
    expect(await errorOf(select(target, "One"))).toMatchObject({ kind: "invalid_params" });
  }
  expect(await stage.log()).toEqual([]);
});

test("of a list of several exactly the given ones are left selected", async () => {
  await stage.show(`<ul role=listbox aria-label=Fruit aria-multiselectable=true
    onclick="event.target.ariaSelected = String(event.target.ariaSelected !== 'true'); say(event.target.textContent)">
    <li role=option aria-selected=true>Fig</li><li role=option aria-selected=true>Pear</li><li role=option>Plum</li></ul>`);
  expect(await select("role=listbox[name=Fruit]", "Pear", "Plum")).toEqual(["Pear", "Plum"]);
  expect(await stage.log()).toEqual(["Plum", "Fig"]);
});

test("a combobox that offers nothing before something is typed is typed into", async () => {
  await stage.show(`<input role=combobox aria-label=City aria-expanded=false aria-controls=l oninput="l.hidden = value === ''">
    <ul id=l role=listbox hidden onclick="say(event.target.textContent); l.hidden = true"><li role=option>Lisbon</li></ul>`);
  await select("role=combobox[name=City]", "Lisbon");
  expect(await stage.log()).toEqual(["Lisbon"]);
  expect(await errorOf(select("role=combobox[name=City]", "Porto"))).toMatchObject({ kind: "not_found" });
});

test("a checkbox is checked, once, and unchecked", async () => {
  await stage.show(`<input type=checkbox onchange="say(String(checked))">`);
  expect([await check("input", true), await check("input", true), await check("input", false)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(await stage.log()).toEqual(["true", "false"]);
});

test("a mixed checkbox can be checked", async () => {
  await stage.show(
    `<input type=checkbox><script>document.querySelector("input").indeterminate = true; document.querySelector("input").checked = true</script>`,
  );
  await check("input", true);
  expect(await stage.tab.page.isChecked("input")).toBe(true);
});

test.each([
  "display: none",
  "position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; appearance: none",
])("a checkbox hidden by %s is checked by its label", async (style) => {
  await stage.show(
    `<label><input type=checkbox style="${style}" onchange="say(String(checked))"><span>Agree</span></label>`,
  );
  await check("input", true);
  expect(await stage.log()).toEqual(["true"]);
});

test("a label with a link in it is pressed beside the link", async () => {
  await stage.show(`<label><input type=checkbox style="display: none" onchange="say(String(checked))">
    I agree to the <a href="#terms" onclick="say('terms')" style="padding: 0 80px">terms and conditions</a> here</label>`);
  await check("input", true);
  expect(await stage.log()).toEqual(["true"]);
});

test("a switch is switched and its state awaited", async () => {
  await stage.show(`<button role=switch aria-checked=false aria-label=Dark
    onclick="setTimeout(() => setAttribute('aria-checked', String(getAttribute('aria-checked') !== 'true')), 60)">x</button>`);
  expect(await check("role=switch[name=Dark]", true)).toBe(true);
  expect(await check("role=switch[name=Dark]", true)).toBe(false);
});

test("radio buttons are checked but not unchecked", async () => {
  await stage.show(`<input type=radio name=r value=1 checked><input type=radio name=r value=2 id=two>`);
  await check("#two", true);
  expect(await stage.tab.page.isChecked("#two")).toBe(true);
  expect(await errorOf(check("#two", false))).toMatchObject({ kind: "invalid_params" });
});

test("what does not take its new state, or has none, is refused", async () => {
  await stage.show(`<input type=checkbox onclick="event.preventDefault()"><button>Save</button>`);
  expect(await errorOf(check("input", true))).toMatchObject({ message: expect.stringContaining("still not checked") });
  expect(await errorOf(check("button", true))).toMatchObject({ kind: "invalid_params" });
});
