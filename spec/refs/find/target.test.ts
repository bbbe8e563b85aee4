/** From a ref or selector to one element, or to an error that says why not. */
import type { Frame } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "../../../browser/driver/inside.ts";
import { askRef } from "../../../refs/find/ask_ref.ts";
import { countMatches } from "../../../refs/find/target.ts";
import { ask } from "../../../refs/reader.ts";
import { RefNumbers, RefTable, refsOf } from "../../../refs/ref_table.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { errorOf, openStage, type Stage } from "../act/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const refusal = (target: string) => errorOf(stage.ref(target));

/** The ref that a snapshot gives the one node of that name. */
async function refOf(name: string): Promise<string> {
  const { nodes } = await takeSnapshot(stage.tab, { signal: stage.signal });
  return nodes.find((node) => node.name === name)?.ref ?? "none";
}

describe("a ref", () => {
  test("keeps its number through new snapshots and unrelated changes", async () => {
    await stage.show(`<button>Save</button><p id="p">a</p>`);
    const save = await refOf("Save");
    await stage.tab.page.evaluate(() => {
      const p = document.querySelector("#p");
      p?.before(document.createElement("hr"));
      p?.replaceChildren("b");
      document.body.append(document.querySelector("button") ?? "");
    });
    expect(await refOf("Save")).toBe(save);
    expect(await stage.ref(save)).toMatchObject({ role: "button", name: "Save" });
  });

  test("is never reused, by a later element or a later page", async () => {
    await stage.show("<button>One</button>");
    const one = await refOf("One");
    await stage.show("<button>One</button>");
    const again = await refOf("One");
    expect(again).not.toBe(one);
    expect(await stage.ref(again)).toMatchObject({ name: "One" });
    expect(await refusal(one)).toMatchObject({ kind: "stale_ref" });
  });

  test("of a page that was left says that the page navigated, and what it was", async () => {
    await stage.show("<button>Pay</button>");
    const pay = await refOf("Pay");
    await stage.show("<button>Pay</button>");
    const error = await refusal(pay);
    expect(error).toMatchObject({ kind: "stale_ref", message: `${pay} [button] "Pay" is gone: the page navigated` });
    expect(error.details).toMatchObject({ role: "button", name: "Pay" });
    expect(error.details).not.toHaveProperty("replacement");
  });

  test("of a page that was left is refused while the page that came answers nobody", async () => {
    const busy = "<script>for (const end = Date.now() + 1_500; Date.now() < end; );</script>";
    await stage.show("<button>Pay</button>", { "/busy": busy });
    const pay = await refOf("Pay");
    const { page } = stage.tab;
    const committed = page.waitForEvent("framenavigated");
    const loaded = page.goto(`${stage.origin}/busy`).then(() => "loaded");
    await committed;
    expect(await Promise.race([refusal(pay).then(({ kind }) => kind), loaded])).toBe("stale_ref");
    await loaded;
  });

  test("is not looked for in the driver when its tab has been closed", async () => {
    await stage.show("<button>Pay</button>");
    const page = await stage.tab.page.context().newPage();
    await page.goto(stage.origin);
    const frame = page.mainFrame();
    const { doc } = await ask(frame, "listen", { type: "any" });
    expect(documentOf(frame)).toEqual(expect.any(String));
    await page.close();
    expect(documentOf(frame)).toBeUndefined();
    const table = new RefTable(new RefNumbers());
    const ref = { id: "@e1", table, frame, doc, n: 1, role: "button", name: "Pay", how: "snapshot" };
    const asking = askRef(ref, "describe", { doc, n: 1 }, { signal: stage.signal });
    expect(await errorOf(asking)).toMatchObject({ kind: expect.stringMatching(/_gone$/) });
  });

  test("does not come back with the page it was on", async () => {
    await stage.show("<button>Old</button>", { "/next": "<button>Old</button>" });
    const old = await refOf("Old");
    await stage.tab.page.goto(`${stage.origin}/next`);
    expect(await refusal(old)).toMatchObject({ kind: "stale_ref" });
    await stage.tab.page.goBack({ waitUntil: "commit" });
    await stage.tab.page.waitForLoadState("domcontentloaded");
    const back = await stage.ref("button");
    const answer = await stage.ref(old).catch((error: unknown) => error);
    // Where the browser kept the old document alive it is the same element; else the ref is stale.
    if (back.id !== old) expect(answer).toMatchObject({ kind: "stale_ref" });
  });

  test("of a removed element is stale; of a replaced one the new ref is offered, not taken", async () => {
    await stage.show("<button>Save</button><button>Other</button>");
    const save = await refOf("Save");
    await stage.tab.page.evaluate(() => {
      const button = document.querySelector("button");
      button?.replaceWith(button.cloneNode(true));
    });
    const replaced = await refusal(save);
    expect(replaced).toMatchObject({ kind: "stale_ref", message: expect.stringContaining("removed from the page") });
    const { replacement } = replaced.details;
    expect(replaced.hint).toContain(replacement);
    expect(await stage.ref(String(replacement))).toMatchObject({ role: "button", name: "Save" });
    expect(await refusal(save)).toMatchObject({ kind: "stale_ref" });
    await stage.tab.page.evaluate(() => document.querySelector("button")?.remove());
    expect((await refusal(save)).details).not.toHaveProperty("replacement");
  });

  test("of several that could replace it offers none", async () => {
    await stage.show("<button>Save</button>");
    const save = await refOf("Save");
    await stage.tab.page.evaluate(() => {
      document.body.innerHTML = "<button>Save</button><button>Save</button>";
    });
    expect((await refusal(save)).details).not.toHaveProperty("replacement");
  });

  test("of an element that became something else is stale, and names what it is now", async () => {
    await stage.show("<button>Delete Alice</button>");
    const alice = await refOf("Delete Alice");
    await stage.tab.page.evaluate(() => document.querySelector("button")?.replaceChildren("Delete Bob"));
    const error = await refusal(alice);
    expect(error).toMatchObject({
      kind: "stale_ref",
      message: `${alice} [button] "Delete Alice" is now [button] "Delete Bob"`,
    });
    expect(await refOf("Delete Bob")).toBe(error.details.replacement);
  });

  test("of a frame that left the page is stale", async () => {
    await stage.show(`<iframe src="${stage.other}/f"></iframe>`, { "/f": "<button>In</button>" });
    const inside = await refOf("In");
    await stage.tab.page.evaluate(() => document.querySelector("iframe")?.remove());
    expect(await refusal(inside)).toMatchObject({ kind: "stale_ref", message: expect.stringContaining("frame left") });
  });

  test("that was never given out is unknown, and one that is not a ref is refused", async () => {
    await stage.show("<button>x</button>");
    expect(await refusal("@e99999")).toMatchObject({ kind: "unknown_ref" });
    for (const bad of ["@", "@e0", "@e01", "@x3", "@e3x", "@e-1"]) {
      expect(await refusal(bad)).toMatchObject({ kind: "invalid_params" });
    }
  });
});

describe("a table of refs", () => {
  const frame = { isDetached: () => false } as Frame;
  const made = (doc: string, n: number, name = "x") => ({ frame, doc, n, role: "button", name, how: "test" });

  test("remembers what the refs of left documents were, up to a bound", () => {
    const table = new RefTable(new RefNumbers());
    const first = table.give(made("a", 1, "First"));
    const last = table.give(made("a", 2, "Last"));
    table.give(made("b", 1));
    expect(() => table.find(first.id)).toThrow(/\[button\] "First" is gone/);
    for (let n = 1; n <= 12_000; n++) table.give(made("c", n));
    table.give(made("d", 1));
    expect(() => table.find(last.id)).toThrow(/left long ago/);
  });

  test("gives one element one ref as long as its role and name stay", () => {
    const table = new RefTable(new RefNumbers());
    const one = table.give(made("a", 1));
    expect(table.give(made("a", 1))).toBe(one);
    const renamed = table.give(made("a", 1, "y"));
    expect(renamed.id).not.toBe(one.id);
    expect(table.find(one.id)).toBe(one);
  });
});

describe("a selector", () => {
  test("means the one element that matches", async () => {
    await stage.show(`<form><label>Password <input type="password" placeholder="Your secret"></label>
      <label>Confirm password <input type="password" data-testid="confirm"></label></form>
      <button id="save">Save</button><button>Save As</button><p>Read <i>this</i></p>`);
    expect(await stage.ref("#save")).toMatchObject({ name: "Save" });
    expect(await stage.ref('role=button[name="Save"]')).toMatchObject({ name: "Save" });
    expect(await stage.ref('role=button[name="save as" i]')).toMatchObject({ name: "Save As" });
    expect(await stage.ref("role=button[name=/As$/]")).toMatchObject({ name: "Save As" });
    expect(await stage.ref("label=Password")).toMatchObject({ name: "Password" });
    expect(await stage.ref("label=confirm")).toMatchObject({ name: "Confirm password" });
    expect(await stage.ref("placeholder=secret")).toMatchObject({ name: "Password" });
    expect(await stage.ref("testid=confirm")).toMatchObject({ name: "Confirm password" });
    expect(await stage.ref("text=Save")).toMatchObject({ role: "button", name: "Save" });
    expect(await stage.ref("text=read this")).toMatchObject({ role: "paragraph" });
  });

  test("that matches several is ambiguous and lists up to five with refs", async () => {
    await stage.show(Array.from({ length: 7 }, (_, i) => `<button>B${i}</button>`).join(""));
    const error = await refusal("button");
    expect(error).toMatchObject({ kind: "ambiguous", message: expect.stringContaining("matches 7 elements") });
    const candidates = error.details.candidates as { ref: string; name: string }[];
    expect(candidates.map(({ name }) => name)).toEqual(["B0", "B1", "B2", "B3", "B4"]);
    expect(await stage.ref(candidates[3]?.ref ?? "")).toMatchObject({ name: "B3" });
  });

  test("that matches one control in each row says which row", async () => {
    const rows = ["Ada", "Bob"].map((who) => `<tr><td>${who}<td>open<td><a href="#">View</a> <button>Cancel</button>`);
    await stage.show(`<table>${rows.join("")}</table><button>Cancel order</button>`);
    const { message, details } = await refusal("role=button[name=/Cancel/]");
    expect(message.replace(/@e\d+/g, "@").split("\n").slice(1)).toEqual([
      '  @ [button] "Cancel" in "Ada open"',
      '  @ [button] "Cancel" in "Bob open"',
      '  @ [button] "Cancel order"',
    ]);
    expect(details.candidates).toMatchObject([
      { within: "Ada open" },
      { within: "Bob open" },
      { name: "Cancel order" },
    ]);
  });

  test("of words that something says is told how to mean that", async () => {
    await stage.show("<button>Log in</button><p>Twice</p><p>Twice</p>");
    expect((await refusal("Log in")).hint).toMatch(/^Write "text=Log in" for what says so: @e\d+ \[button\] "Log in"$/);
    expect((await refusal("Twice")).hint).toBe('Write "text=Twice" for what says so: 2 elements do');
    expect((await refusal("Nowhere")).hint).not.toContain("text=");
  });

  test("means the one that can be seen when its doubles cannot", async () => {
    await stage.show(
      `<a href="#1" style="display:none">Go</a><a href="#2" style="opacity:0">Go</a><a href="#3">Go</a>`,
    );
    const ref = await stage.ref("a");
    expect(await stage.tab.page.locator("a").nth(2).getAttribute("href")).toBe("#3");
    const { nodes } = await takeSnapshot(stage.tab, { signal: stage.signal });
    expect(nodes.find((node) => node.ref === ref.id)?.url).toContain("#3");
    expect(await countMatches(stage.tab, "a", { signal: stage.signal })).toBe(3);
  });

  test("that matches nothing says whether another frame has it", async () => {
    await stage.show(`<iframe src="${stage.other}/f"></iframe>`, { "/f": "<button>In</button>" });
    await stage.tab.page.frames()[1]?.waitForLoadState();
    const error = await refusal("role=button");
    expect(error.kind).toBe("not_found");
    expect(await stage.ref(String(error.details.elsewhere))).toMatchObject({ name: "In" });
    expect(await refusal("e3")).toMatchObject({ kind: "not_found", hint: expect.stringContaining("@e3") });
  });

  test("reaches into open shadow roots", async () => {
    await stage.show(`<x-a></x-a><script>
      document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = "<x-b></x-b>";
      document.querySelector("x-a").shadowRoot.firstChild.attachShadow({mode: "open"}).innerHTML = "<button class=deep>Deep</button>";
    </script>`);
    for (const target of [".deep", "role=button", "text=Deep"]) {
      expect(await stage.ref(target)).toMatchObject({ name: "Deep" });
    }
  });

  test.each([
    "div[",
    "role=",
    'role=button[name="x',
    "role=button[label=x]",
    "text=/(/",
    "//div",
    "xpath=//a",
    "label=",
  ])("%s is refused with the accepted forms", async (target) => {
    await stage.show("<button>x</button>");
    const error = await refusal(target);
    expect(error).toMatchObject({ kind: "invalid_params", hint: expect.stringContaining("role=button[name=") });
  });

  test("gets the ref that a snapshot gives the same element", async () => {
    await stage.show("<button>Save</button>");
    const { id } = await stage.ref("button");
    expect(await refOf("Save")).toBe(id);
    expect(refsOf(stage.tab).find(id).how).toBe("button");
  });
});
