import { afterAll, beforeAll, expect, test } from "vitest";
import { fill } from "../../../refs/act/fill.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function put(target: string, value: string): Promise<{ kept: boolean }> {
  const { tab, signal } = stage;
  return await fill(tab, await stage.ref(target), value, { signal });
}

const valueIn = (css: string) => stage.tab.page.$eval(css, (element) => (element as HTMLInputElement).value);

test("a text field takes the value, with input and change events", async () => {
  await stage.show(`<input value=old oninput="say('input ' + value)" onchange="say('change ' + value)">`);
  expect(await put("input", 'new "$`')).toEqual({ kept: true });
  expect(await stage.log()).toEqual(['input new "$`', 'change new "$`']);
});

test("an empty value clears", async () => {
  await stage.show(`<textarea onchange="say('change')">old</textarea>`);
  await put("textarea", "");
  expect([await valueIn("textarea"), await stage.log()]).toEqual(["", ["change"]]);
});

test("several lines go into a textarea", async () => {
  await stage.show(`<textarea></textarea>`);
  expect(await put("textarea", "one\r\ntwo")).toEqual({ kept: true });
  expect(await valueIn("textarea")).toBe("one\ntwo");
});

/** As React does: the page's own setter on the element remembers the value, and unchanged ones are no news. */
const CONTROLLED = `<input><script>
  const field = document.querySelector("input"); let tracked = ""; let state = "";
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  Object.defineProperty(field, "value", { get() { return native.get.call(this) }, set(v) { tracked = v; native.set.call(this, v) } });
  field.addEventListener("input", () => { const now = native.get.call(field); if (now === tracked) return; tracked = now; state = now; say(state); });
</script>`;

test("a controlled field hears of its value", async () => {
  await stage.show(CONTROLLED);
  await put("input", "abc");
  await put("input", "");
  expect(await stage.log()).toEqual(["abc", ""]);
});

test("a field that a page formats says that the value was not kept", async () => {
  await stage.show(`<input oninput="value = value.toUpperCase()">`);
  expect(await put("input", "abc")).toEqual({ kept: false });
  expect(await valueIn("input")).toBe("ABC");
});

test("a validator that listens to change only runs", async () => {
  await stage.show(`<input type=email><p></p><script>document.querySelector("input").addEventListener("change",
    (event) => say(event.target.checkValidity() ? "ok" : "bad"))</script>`);
  await put("input", "nobody");
  await put("input", "a@b.c");
  expect(await stage.log()).toEqual(["bad", "ok"]);
});

test.each([
  ["date", "2026-02-28", "28.02.2026", "YYYY-MM-DD"],
  ["time", "13:45", "1 pm", "HH:MM"],
  ["datetime-local", "2026-02-28T13:45", "2026-02-28", "YYYY-MM-DDTHH:MM"],
  ["month", "2026-02", "February", "YYYY-MM"],
  ["week", "2026-W07", "7", "YYYY-Www"],
  ["color", "#12AB34", "red-ish", "#rrggbb"],
  ["range", "30", "400", "a number from 0 to 100"],
  ["number", "12.5", "twelve", "number"],
])("a %s field takes %s and refuses %s", async (type, right, wrong, format) => {
  await stage.show(`<input type=${type} step=any min="" max="" onchange="say('change')">`);
  const before = await valueIn("input");
  const error = await errorOf(put("input", wrong));
  expect(error).toMatchObject({ kind: "invalid_params", message: expect.stringContaining(format) });
  expect(await valueIn("input")).toBe(before);
  expect(await put("input", right)).toEqual({ kept: true });
  expect(await valueIn("input")).toBe(type === "color" ? "#12ab34" : right);
  expect(await stage.log()).toEqual(["change"]);
});

test("a contenteditable element is typed over", async () => {
  await stage.show(
    `<div contenteditable role=textbox aria-label=Note oninput="say('input')"><p>old</p><p>text</p></div>`,
  );
  expect(await put("role=textbox[name=Note]", "new text")).toEqual({ kept: true });
  expect(await stage.tab.page.textContent("div")).toBe("new text");
  expect(await stage.log()).toContain("input");
  await put("role=textbox[name=Note]", "");
  expect(((await stage.tab.page.textContent("div")) ?? "").trim()).toBe("");
});

test("a label stands for its field", async () => {
  await stage.show(`<label for=f>Name</label><input id=f>`);
  await put("label", "Ann");
  expect(await valueIn("input")).toBe("Ann");
});

test("a native list is selected from", async () => {
  await stage.show(`<select><option>One<option>Two</select>`);
  await put("select", "Two");
  expect(await valueIn("select")).toBe("Two");
});

test.each([
  [`<input type=checkbox>`, "input", "invalid_params", /browse check/],
  [`<input type=file>`, "input", "invalid_params", /browse upload/],
  [`<button>Save</button>`, "button", "invalid_params", /./],
  [`<input maxlength=3>`, "input", "invalid_params", /shorter/],
  [`<input type=range min=2 max=10 step=2>`, "input", "invalid_params", /from 2 to 10, in steps of 2$/],
  [`<input readonly>`, "input", "disabled", /browse click/],
  [`<input disabled>`, "input", "disabled", /./],
  [`<fieldset disabled><textarea></textarea></fieldset>`, "textarea", "disabled", /./],
  [`<input style="display: none">`, "input", "not_visible", /./],
])("%s is refused", async (html, target, kind, hint) => {
  await stage.show(html);
  expect(await errorOf(put(target, "value"))).toMatchObject({ kind, hint: expect.stringMatching(hint) });
});

test("a field that means something else by now is not filled", async () => {
  await stage.show(`<input aria-label=Email>`);
  const ref = await stage.ref("input");
  await stage.tab.page.evaluate(`document.querySelector("input").setAttribute("aria-label", "Password")`);
  expect(await errorOf(fill(stage.tab, ref, "me", { signal: stage.signal }))).toMatchObject({ kind: "stale_ref" });
  expect(await valueIn("input")).toBe("");
});

test("a slider that a page has made is refused with a way to move it", async () => {
  await stage.show(`<div role=slider tabindex=0 aria-label=Level aria-valuenow=3>=</div><p>Text</p>`);
  expect((await errorOf(put("role=slider", "5"))).hint).toMatch(/browse focus.*browse press ArrowRight/);
  expect((await errorOf(put("p", "5"))).hint).toContain("browse snapshot -i");
});
