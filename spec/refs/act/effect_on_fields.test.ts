/** What an action's effect tells of fields: which the browser refuses, which the page writes anew, which have changed. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EffectReport } from "../../../browser/effect_report.ts";
import { fill } from "../../../refs/act/fill.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { effectOf, pressing, show } from "./effect_of.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function filling(target: string, value: string): Promise<EffectReport> {
  const { tab, signal } = stage;
  return await effectOf(stage, async () => fill(tab, await stage.ref(target), value, { signal }));
}

describe("fields", () => {
  test("hold to their least length what they were filled with, as they hold a person", async () => {
    await show(stage, `<form><input minlength=5 aria-label=Name oninput="say(value)"><button>Send</button></form>`);
    const [refused] = (await filling("label=Name", "Ada")).refusedFields ?? [];
    expect(refused).toEqual({ field: "Name", message: expect.stringContaining("5") });
    expect(await pressing(stage, "button")).not.toHaveProperty("navigated");
    expect(await filling("label=Name", "Ada Lovelace")).toEqual({ changed: 1 });
    expect(await stage.log()).toEqual(["Ada", "Ada Lovelace"]);
    expect(await pressing(stage, "button")).toHaveProperty("navigated");
  });

  test("that are too short and secret are so before the page has heard of them, under another name too", async () => {
    await show(
      stage,
      `<label id=label>Password <input type=password minlength=30
      oninput="console.log('typed ' + value); label.firstChild.data = 'Weak password '"></label>`,
    );
    const { console: lines } = stage.tab.capture;
    const before = lines.total;
    expect((await filling("label=Password", "Tr0ub4dor&3xyzq")).refusedFields).toHaveLength(1);
    await expect.poll(() => lines.since(before).map(({ value }) => value.text)).toEqual(["typed [redacted]"]);
  });

  test("that keep a form from being sent are told with the browser's reasons", async () => {
    await show(
      stage,
      `<form><label>Email <input type=email value=nobody></label><input required aria-label=Name><button>Send</button></form>`,
    );
    const { refusedFields, focused } = await pressing(stage, "button");
    expect(refusedFields).toEqual([
      { field: "Email", message: expect.stringContaining("'@'") },
      { field: "Name", message: expect.stringContaining("fill out") },
    ]);
    expect(focused).toMatchObject({ role: "textbox", name: "Email" });
  });

  test("that were filled with what the browser would not send are told at once, and a snapshot marks those of a form that was not sent", async () => {
    await show(
      stage,
      `<input type=email aria-label=Email><input type=number max=99 aria-label=Age><input required aria-label=Name>
      <form novalidate><input type=email aria-label=Free></form><form><input required aria-label=Code><button>Send</button></form>`,
    );
    expect((await filling("label=Email", "nobody")).refusedFields).toEqual([
      { field: "Email", message: expect.stringContaining("'@'") },
    ]);
    expect((await filling("label=Age", "200")).refusedFields).toEqual([
      { field: "Age", message: expect.stringContaining("99") },
    ]);
    for (const [field, value] of [
      ["Email", "ann@shop.example"],
      ["Name", ""],
      ["Free", "nobody"],
    ]) {
      expect(await filling(`label=${field}`, value ?? "")).not.toHaveProperty("refusedFields");
    }
    const invalid = async () => {
      const { nodes } = await takeSnapshot(stage.tab, { interactive: true, signal: stage.signal });
      return nodes.filter(({ states }) => states?.invalid).map(({ name }) => name);
    };
    expect(await invalid()).toEqual([]);
    await pressing(stage, "button");
    expect(await invalid()).toEqual(["Code"]);
  });

  test("that the page writes anew are told, a secret one without what it holds", async () => {
    await show(
      stage,
      `<input aria-label=Phone oninput="value = '+' + value"><input type=password aria-label=Password oninput="value = value.toUpperCase()">
      <input aria-label=Plain>`,
    );
    expect((await filling("label=Phone", "123")).rewritten).toEqual([{ field: "Phone", value: "+123" }]);
    expect((await filling("label=Password", "secret")).rewritten).toEqual([{ field: "Password" }]);
    expect(await filling("label=Plain", "kept")).not.toHaveProperty("rewritten");
  });

  test("that a script fills have changed", async () => {
    await show(
      stage,
      `<button onclick="out.value = 'set'">Set</button><button id=check onclick="box.checked = true">Check</button>
      <input id=out><input type=checkbox id=box>`,
    );
    expect(await pressing(stage, "button:not([id])")).toEqual({ changed: 1 });
    expect(await pressing(stage, "#check")).toEqual({ changed: 1 });
  });
});
