/** What an action's effect tells beside what changed: what went wrong, what is on its way, and what came later. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effectText } from "../../../commands/effect_text.ts";
import { pressKey } from "../../../refs/act/keyboard.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { effectOf, pressing, show } from "./effect_of.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe("what goes wrong", () => {
  test("in a script that nobody catches is told with its place", async () => {
    await show(stage, `<button onclick="boom()">Go</button><script>function boom() { missing(); }</script>`);
    expect(await pressing(stage, "button")).toMatchObject({
      errors: [{ text: "ReferenceError: missing is not defined" }],
      nothing: true,
    });
  });

  test("often is counted, and what a page calls its scripts is no word of ours", async () => {
    await show(
      stage,
      `<button onclick="for (let n = 0; n < 5; n++) Promise.reject(new Error('n' + n))">Go</button>
      <button id=named onclick="eval('throw new Error(1)\\n//# sourceURL=x) → navigated to (a:1:1')">Named</button>`,
    );
    const { errors, moreErrors } = await pressing(stage, "button:not([id])");
    expect(errors?.map(({ text }) => text)).toEqual(["Error: n0", "Error: n1", "Error: n2"]);
    expect(moreErrors).toBe(2);
    const [named] = (await pressing(stage, "#named")).errors ?? [];
    expect(named?.at ?? "").not.toContain(" ");
  });

  test("with a request is told, but not one that the page breaks off itself", async () => {
    await show(
      stage,
      `<button onclick="fetch('http://127.0.0.1:1/x?token=abc').catch(() => {})">Go</button>
      <a onclick="const over = new AbortController(); fetch('/slow', { signal: over.signal }).catch(() => {}); over.abort()">Stop</a>`,
    );
    expect((await pressing(stage, "button")).failed).toEqual([
      {
        id: expect.any(Number),
        method: "GET",
        url: expect.stringMatching(/\/x\?token=\[redacted\]$/),
        failure: expect.any(String),
      },
    ]);
    expect(await pressing(stage, "a")).not.toHaveProperty("failed");
  });
});

test("a request that is not answered is told, and no change is claimed for good", async () => {
  await show(stage, `<button onclick="fetch('/never')">Go</button>`);
  expect(await pressing(stage, "button")).toEqual({
    waiting: [{ method: "GET", url: `${stage.origin}/never` }],
    nothing: true,
    watchedMs: expect.any(Number),
  });
});

test("a request whose answer has begun is not said to have none", async () => {
  await show(
    stage,
    `<button onclick="fetch('/begun').then(() => { out.textContent = 'begun' })">Go</button><p id=out></p>`,
  );
  const effect = await pressing(stage, "button");
  expect(effect).toMatchObject({ answering: [{ method: "GET", url: `${stage.origin}/begun` }], changed: 1 });
  expect(effect).not.toHaveProperty("waiting");
});

test("of requests that a page sends one after the other, none is said to wait that was answered", async () => {
  await show(
    stage,
    `<button onclick="ask()">Go</button><p id=out></p><script>
    async function ask() { for (let n = 0; n < 1000; n++) { await fetch('/asked?n=' + n); out.textContent = n; } }</script>`,
  );
  const { waiting = [] } = await pressing(stage, "button");
  expect(waiting.length).toBeLessThanOrEqual(1);
});

test("a request like one that was held open is told, though nobody waits for it", async () => {
  await show(stage, `<button onclick="fetch('/never')">Go</button>`);
  const { network } = stage.tab.capture;
  await pressing(stage, "button");
  for (const { value } of network.since(0)) value.time = new Date(Date.now() - 6_000).toISOString();
  expect(await pressing(stage, "button")).toMatchObject({ waiting: [{ url: `${stage.origin}/never` }], nothing: true });
});

test("a document that is written anew is told with what it has taken the place of", async () => {
  const page = (script: string) =>
    show(stage, `<h1>Old</h1><p>one</p><p>two</p><button onclick="document.open(); ${script}">Write</button>`);
  await page("document.write('<h1>New</h1>'); document.close()");
  const written = await pressing(stage, "button", { shows: true });
  expect(written.changes).toMatchObject([
    { kind: "added", line: expect.stringContaining("New") },
    { kind: "removed", line: expect.stringContaining("Old one two Write") },
  ]);
  await page("");
  const emptied = await pressing(stage, "button", { shows: true });
  // The document with its head and body, four elements, and what they say.
  expect(emptied.changed).toBeGreaterThanOrEqual(11);
  expect(written.changed).toBeGreaterThan(emptied.changed ?? 0);
  expect(emptied.changes).toMatchObject([{ kind: "removed", line: expect.stringContaining("Old one two Write") }]);
});

test("the focus is told when it goes to what was not acted on", async () => {
  await show(
    stage,
    `<input aria-label=First><button onclick="last.focus()">Go</button><input aria-label=Last id=last>`,
  );
  expect((await pressing(stage, "button")).focused).toMatchObject({ name: "Last", ref: expect.stringMatching(/^@e/) });
  const { tab, signal } = stage;
  expect((await effectOf(stage, () => pressKey(tab, "Shift+Tab", { signal }))).focused).toMatchObject({
    role: "button",
  });
  expect(await pressing(stage, "label=First")).not.toHaveProperty("focused");
});

describe("what comes after an answer", () => {
  test("that waited for nothing is told with the next", async () => {
    await show(stage, `<button onclick="out.textContent = 'now'">Go</button><p id=out></p><h1>Other</h1>`);
    expect(await pressing(stage, "button", { settles: false })).toEqual({ unsettled: true });
    expect(await pressing(stage, "h1")).toMatchObject({ before: { changed: expect.any(Number) }, nothing: true });
  });

  test("is told with the next: dialogs, tabs, downloads, errors and where it went", async () => {
    await show(stage, `<h1>Page</h1>`);
    await pressing(stage, "h1");
    // It may come before the script's own answer.
    const downloading = stage.tab.page.waitForEvent("download");
    await stage.tab.page.evaluate(`setTimeout(() => missing()); alert("late"); open("/next"); out = document.createElement("a");
      out.href = "/file"; out.click()`);
    await downloading;
    await stage.tab.page.goto(`${stage.origin}/slow`);
    expect((await pressing(stage, "h1")).before).toMatchObject({
      navigated: `${stage.origin}/slow`,
      dialogs: [{ type: "alert", message: "late", outcome: "accepted" }],
      opened: ["t2"],
      errors: [{ text: "ReferenceError: missing is not defined" }],
    });
  });

  test("is told with the next: of many dialogs the first, over an action that fails, too", async () => {
    await show(stage, `<h1>Page</h1>`);
    await pressing(stage, "h1");
    await stage.tab.page.evaluate(`alert("one"); confirm("two")`);
    await expect(pressing(stage, "text=absent")).rejects.toThrow("Nothing matches");
    await stage.tab.page.evaluate(`prompt("three", "3"); alert("four"); alert("five")`);
    const { before = {} } = await pressing(stage, "h1");
    expect(before.dialogs?.map(({ message }) => message)).toEqual(["one", "two", "three"]);
    expect(before.moreDialogs).toBe(2);
    expect(effectText({ before, nothing: true }).line).toMatch(
      /before that, since the last action: dialog: alert "one" \(accepted\), dialog: confirm "two" \(accepted\), .*, 2 more dialogs/,
    );
  });

  test("is told by the next that can tell it: an action that fails says nothing of it", async () => {
    await show(stage, `<button onclick="setTimeout(() => missing(), 1200)">Go</button><h1>Other</h1>`);
    await pressing(stage, "button");
    await stage.tab.page.waitForEvent("pageerror");
    await expect(pressing(stage, "text=absent")).rejects.toThrow("Nothing matches");
    await expect(pressing(stage, "text=absent")).rejects.toThrow("Nothing matches");
    expect((await pressing(stage, "h1")).before).toEqual({
      errors: [expect.objectContaining({ text: expect.stringContaining("missing") })],
    });
    expect(await pressing(stage, "h1")).not.toHaveProperty("before");
  });

  test("is not told again to who has read the page", async () => {
    await show(
      stage,
      `<button onclick="setTimeout(() => { out.textContent = 'late' }, 1200)">Go</button><p id=out></p><h1>Other</h1>`,
    );
    await pressing(stage, "button");
    await stage.tab.page.waitForFunction("out.textContent === 'late'");
    await takeSnapshot(stage.tab, { signal: stage.signal });
    expect(await pressing(stage, "h1")).not.toHaveProperty("before");
  });
});
