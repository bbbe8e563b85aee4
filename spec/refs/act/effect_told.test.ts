/** What an action's effect tells beside what changed: what went wrong, what is on its way, and what came later. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EffectReport } from "../../../browser/effect_report.ts";
import { effectText } from "../../../commands/effect_text.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { fill } from "../../../refs/act/fill.ts";
import { pressKey } from "../../../refs/act/keyboard.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function effectOf(act: () => Promise<unknown>, settles = true, shows = false): Promise<EffectReport> {
  const { tab, signal } = stage;
  using observer = observeEffects(tab, { signal, settles, shows });
  await act();
  return settles ? await observer.settle(signal) : observer.soFar();
}

async function pressing(target: string, settles = true, shows = false): Promise<EffectReport> {
  const { tab, signal } = stage;
  return await effectOf(async () => clickElement(tab, await stage.ref(target), { signal }), settles, shows);
}

async function filling(target: string, value: string): Promise<EffectReport> {
  const { tab, signal } = stage;
  return await effectOf(async () => fill(tab, await stage.ref(target), value, { signal }));
}

/** Of the page that is shown, before which nothing counts. */
async function show(html: string): Promise<void> {
  await stage.show(html);
  using _ = observeEffects(stage.tab, { signal: stage.signal, settles: false });
}

describe("timers that an action sets", () => {
  const later = (ms: number) =>
    `<button onclick="setTimeout(() => { out.textContent = 'late' }, ${ms})">Go</button><p id=out></p>`;

  test.each([0, 100, 700])("of %i ms are waited for", async (ms) => {
    await show(later(ms));
    expect(await pressing("button")).toMatchObject({ changed: expect.any(Number) });
    expect(await stage.tab.page.textContent("#out")).toBe("late");
  });

  test("are waited for one after the other, and in frames", async () => {
    await show(
      `<iframe name=inner srcdoc="<button onclick='setTimeout(() => setTimeout(() => { out.textContent = 1 }, 90), 90)'>Go</button><p id=out></p>"></iframe>`,
    );
    const ref = await stage.refIn("inner", "button");
    const { tab, signal } = stage;
    expect(await effectOf(() => clickElement(tab, ref, { signal }))).toMatchObject({ changed: expect.any(Number) });
  });

  test("that are far away are not, and what they bring is told with the next action", async () => {
    await show(`${later(1_300)}<h1>Other</h1>`);
    const { nothing, watchedMs } = await pressing("button");
    expect(nothing).toBe(true);
    expect(watchedMs).toBeLessThan(1_000);
    await stage.tab.page.waitForFunction("out.textContent === 'late'");
    expect(await pressing("h1")).toMatchObject({ before: { changed: 1 }, nothing: true });
    expect(await pressing("h1")).not.toHaveProperty("before");
  });

  test("leave the page its own functions, and the values that these had", async () => {
    await show(
      `<button onclick="setTimeout(() => say(String(this)), '30'); setTimeout('say(1)'); setTimeout((a) => say(a), 10, 'given')">Go</button>`,
    );
    const own = await stage.tab.page.evaluateHandle("[setTimeout, setInterval]");
    await pressing("button");
    expect(await stage.log()).toEqual([1, "given", "[object HTMLButtonElement]"]);
    await expect.poll(() => own.evaluate((functions) => Object.is((functions as unknown[])[0], setTimeout))).toBe(true);
  });

  test("are waited for on pages that have put their own functions in the place of the browser's", async () => {
    await show(
      `<script>const native = setTimeout; window.setTimeout = (...given) => native(...given);</script>${later(200)}`,
    );
    expect(await pressing("button")).toHaveProperty("changed");
  });
});

describe("what an action begins beside a change that is there at once is waited for:", () => {
  const button = (script: string) => `<button onclick="near.textContent += '!'; ${script}">Go</button>`;
  const page = (script: string, before = "") =>
    `${button(script)}<p id=near>Near</p><p id=out></p><script>const late = () => { out.textContent = "late" }; ${before}</script>`;

  test.each([
    ["a frame", "requestAnimationFrame(late)", ""],
    [
      "a message",
      "channel.port2.postMessage(1)",
      "const channel = new MessageChannel(); channel.port1.onmessage = late",
    ],
    [
      "a message by functions that the page kept from before",
      "post.call(channel.port2, 1)",
      "const channel = new MessageChannel(); channel.port1.onmessage = late; const post = MessagePort.prototype.postMessage",
    ],
    ["a timer that the page kept from before", "kept(late)", "const kept = setTimeout"],
    ["a worker", "new Worker(url).onmessage = late", "const url = URL.createObjectURL(new Blob(['postMessage(1)']))"],
    ["a digest", "crypto.subtle.digest('SHA-256', new Uint8Array(9)).then(late)", ""],
    ["a file that is read", "new Blob(['x']).text().then(late)", ""],
    [
      "what observes sizes",
      "near.style.height = near.offsetHeight + 9 + 'px'",
      "let first = true; new ResizeObserver(() => first ? (first = false) : late()).observe(near)",
    ],
    [
      "what observes places",
      "near.style.marginTop = '2000px'",
      "let first = true; new IntersectionObserver(() => first ? (first = false) : late()).observe(near)",
    ],
    [
      "an event in a task of its own",
      "const box = document.createElement('details'); box.ontoggle = late; box.open = true",
      "",
    ],
  ])("%s", async (_, script, before) => {
    await show(page(script, before));
    await stage.tab.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(await pressing("button")).toHaveProperty("changed");
    expect(await stage.tab.page.textContent("#out")).toBe("late");
  });

  test("a form that is sent", async () => {
    await stage.show(`<form action=/sent>${button("this.form.requestSubmit()")}<p id=near></p></form>`, {
      "/sent": "<h1>Sent</h1>",
    });
    expect(await pressing("button")).toMatchObject({ navigated: `${stage.origin}/sent?` });
  });

  test("and the page has its own functions back", async () => {
    await show(page("requestAnimationFrame(late)"));
    const own = await stage.tab.page.evaluateHandle(
      "[requestAnimationFrame, Worker, MessagePort.prototype.postMessage]",
    );
    await pressing("button");
    const isBack = () =>
      own.evaluate((functions) => {
        const now = [requestAnimationFrame, Worker, MessagePort.prototype.postMessage];
        return now.every((each, index) => Object.is(each, (functions as unknown[])[index]));
      });
    await expect.poll(isBack).toBe(true);
  });
});

describe("what goes wrong", () => {
  test("in a script that nobody catches is told with its place", async () => {
    await show(`<button onclick="boom()">Go</button><script>function boom() { missing(); }</script>`);
    expect(await pressing("button")).toMatchObject({
      errors: [{ text: "ReferenceError: missing is not defined" }],
      nothing: true,
    });
  });

  test("often is counted, and what a page calls its scripts is no word of ours", async () => {
    await show(`<button onclick="for (let n = 0; n < 5; n++) Promise.reject(new Error('n' + n))">Go</button>
      <button id=named onclick="eval('throw new Error(1)\\n//# sourceURL=x) → navigated to (a:1:1')">Named</button>`);
    const { errors, moreErrors } = await pressing("button:not([id])");
    expect(errors?.map(({ text }) => text)).toEqual(["Error: n0", "Error: n1", "Error: n2"]);
    expect(moreErrors).toBe(2);
    const [named] = (await pressing("#named")).errors ?? [];
    expect(named?.at ?? "").not.toContain(" ");
  });

  test("with a request is told, but not one that the page breaks off itself", async () => {
    await show(`<button onclick="fetch('http://127.0.0.1:1/x?token=abc').catch(() => {})">Go</button>
      <a onclick="const over = new AbortController(); fetch('/slow', { signal: over.signal }).catch(() => {}); over.abort()">Stop</a>`);
    expect((await pressing("button")).failed).toEqual([
      {
        id: expect.any(Number),
        method: "GET",
        url: expect.stringMatching(/\/x\?token=\[redacted\]$/),
        failure: expect.any(String),
      },
    ]);
    expect(await pressing("a")).not.toHaveProperty("failed");
  });
});

test("a request that is not answered is told, and no change is claimed for good", async () => {
  await show(`<button onclick="fetch('/never')">Go</button>`);
  expect(await pressing("button")).toEqual({
    waiting: [{ method: "GET", url: `${stage.origin}/never` }],
    nothing: true,
    watchedMs: expect.any(Number),
  });
});

test("a request whose answer has begun is not said to have none", async () => {
  await show(`<button onclick="fetch('/begun').then(() => { out.textContent = 'begun' })">Go</button><p id=out></p>`);
  const effect = await pressing("button");
  expect(effect).toMatchObject({ answering: [{ method: "GET", url: `${stage.origin}/begun` }], changed: 1 });
  expect(effect).not.toHaveProperty("waiting");
});

test("of requests that a page sends one after the other, none is said to wait that was answered", async () => {
  await show(`<button onclick="ask()">Go</button><p id=out></p><script>
    async function ask() { for (let n = 0; n < 1000; n++) { await fetch('/asked?n=' + n); out.textContent = n; } }</script>`);
  const { waiting = [] } = await pressing("button");
  expect(waiting.length).toBeLessThanOrEqual(1);
});

test("a request like one that was held open is told, though nobody waits for it", async () => {
  await show(`<button onclick="fetch('/never')">Go</button>`);
  const { network } = stage.tab.capture;
  await pressing("button");
  for (const { value } of network.since(0)) value.time = new Date(Date.now() - 6_000).toISOString();
  expect(await pressing("button")).toMatchObject({ waiting: [{ url: `${stage.origin}/never` }], nothing: true });
});

describe("fields", () => {
  test("hold to their least length what they were filled with, as they hold a person", async () => {
    await show(`<form><input minlength=5 aria-label=Name oninput="say(value)"><button>Send</button></form>`);
    const [refused] = (await filling("label=Name", "Ada")).refusedFields ?? [];
    expect(refused).toEqual({ field: "Name", message: expect.stringContaining("5") });
    expect(await pressing("button")).not.toHaveProperty("navigated");
    expect(await filling("label=Name", "Ada Lovelace")).toEqual({ changed: 1 });
    expect(await stage.log()).toEqual(["Ada", "Ada Lovelace"]);
    expect(await pressing("button")).toHaveProperty("navigated");
  });

  test("that are too short and secret are so before the page has heard of them, under another name too", async () => {
    await show(`<label id=label>Password <input type=password minlength=30
      oninput="console.log('typed ' + value); label.firstChild.data = 'Weak password '"></label>`);
    const { console: lines } = stage.tab.capture;
    const before = lines.total;
    expect((await filling("label=Password", "Tr0ub4dor&3xyzq")).refusedFields).toHaveLength(1);
    await expect.poll(() => lines.since(before).map(({ value }) => value.text)).toEqual(["typed [redacted]"]);
  });

  test("that keep a form from being sent are told with the browser's reasons", async () => {
    await show(
      `<form><label>Email <input type=email value=nobody></label><input required aria-label=Name><button>Send</button></form>`,
    );
    const { refusedFields, focused } = await pressing("button");
    expect(refusedFields).toEqual([
      { field: "Email", message: expect.stringContaining("'@'") },
      { field: "Name", message: expect.stringContaining("fill out") },
    ]);
    expect(focused).toMatchObject({ role: "textbox", name: "Email" });
  });

  test("that were filled with what the browser would not send are told at once, and a snapshot marks those of a form that was not sent", async () => {
    await show(`<input type=email aria-label=Email><input type=number max=99 aria-label=Age><input required aria-label=Name>
      <form novalidate><input type=email aria-label=Free></form><form><input required aria-label=Code><button>Send</button></form>`);
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
    await pressing("button");
    expect(await invalid()).toEqual(["Code"]);
  });

  test("that the page writes anew are told, a secret one without what it holds", async () => {
    await show(`<input aria-label=Phone oninput="value = '+' + value"><input type=password aria-label=Password oninput="value = value.toUpperCase()">
      <input aria-label=Plain>`);
    expect((await filling("label=Phone", "123")).rewritten).toEqual([{ field: "Phone", value: "+123" }]);
    expect((await filling("label=Password", "secret")).rewritten).toEqual([{ field: "Password" }]);
    expect(await filling("label=Plain", "kept")).not.toHaveProperty("rewritten");
  });

  test("that a script fills have changed", async () => {
    await show(`<button onclick="out.value = 'set'">Set</button><button id=check onclick="box.checked = true">Check</button>
      <input id=out><input type=checkbox id=box>`);
    expect(await pressing("button:not([id])")).toEqual({ changed: 1 });
    expect(await pressing("#check")).toEqual({ changed: 1 });
  });
});

test("a document that is written anew is told with what it has taken the place of", async () => {
  const page = (script: string) =>
    show(`<h1>Old</h1><p>one</p><p>two</p><button onclick="document.open(); ${script}">Write</button>`);
  await page("document.write('<h1>New</h1>'); document.close()");
  const written = await pressing("button", true, true);
  expect(written.changes).toMatchObject([
    { kind: "added", line: expect.stringContaining("New") },
    { kind: "removed", line: expect.stringContaining("Old one two Write") },
  ]);
  await page("");
  const emptied = await pressing("button", true, true);
  // The document with its head and body, four elements, and what they say.
  expect(emptied.changed).toBeGreaterThanOrEqual(11);
  expect(written.changed).toBeGreaterThan(emptied.changed ?? 0);
  expect(emptied.changes).toMatchObject([{ kind: "removed", line: expect.stringContaining("Old one two Write") }]);
});

test("the focus is told when it goes to what was not acted on", async () => {
  await show(`<input aria-label=First><button onclick="last.focus()">Go</button><input aria-label=Last id=last>`);
  expect((await pressing("button")).focused).toMatchObject({ name: "Last", ref: expect.stringMatching(/^@e/) });
  const { tab, signal } = stage;
  expect((await effectOf(() => pressKey(tab, "Shift+Tab", { signal }))).focused).toMatchObject({ role: "button" });
  expect(await pressing("label=First")).not.toHaveProperty("focused");
});

describe("what comes after an answer", () => {
  test("that waited for nothing is told with the next", async () => {
    await show(`<button onclick="out.textContent = 'now'">Go</button><p id=out></p><h1>Other</h1>`);
    expect(await pressing("button", false)).toEqual({ unsettled: true });
    expect(await pressing("h1")).toMatchObject({ before: { changed: expect.any(Number) }, nothing: true });
  });

  test("is told with the next: dialogs, tabs, downloads, errors and where it went", async () => {
    await show(`<h1>Page</h1>`);
    await pressing("h1");
    // It may come before the script's own answer.
    const downloading = stage.tab.page.waitForEvent("download");
    await stage.tab.page.evaluate(`setTimeout(() => missing()); alert("late"); open("/next"); out = document.createElement("a");
      out.href = "/file"; out.click()`);
    await downloading;
    await stage.tab.page.goto(`${stage.origin}/slow`);
    expect((await pressing("h1")).before).toMatchObject({
      navigated: `${stage.origin}/slow`,
      dialogs: [{ type: "alert", message: "late", outcome: "accepted" }],
      opened: ["t2"],
      errors: [{ text: "ReferenceError: missing is not defined" }],
    });
  });

  test("is told with the next: of many dialogs the first, over an action that fails, too", async () => {
    await show(`<h1>Page</h1>`);
    await pressing("h1");
    await stage.tab.page.evaluate(`alert("one"); confirm("two")`);
    await expect(pressing("text=absent")).rejects.toThrow("Nothing matches");
    await stage.tab.page.evaluate(`prompt("three", "3"); alert("four"); alert("five")`);
    const { before = {} } = await pressing("h1");
    expect(before.dialogs?.map(({ message }) => message)).toEqual(["one", "two", "three"]);
    expect(before.moreDialogs).toBe(2);
    expect(effectText({ before, nothing: true }).line).toMatch(
      /before that, since the last answer: dialog: alert "one" \(accepted\), dialog: confirm "two" \(accepted\), .*, 2 more dialogs/,
    );
  });

  test("is told by the next that can tell it: an action that fails says nothing of it", async () => {
    await show(`<button onclick="setTimeout(() => missing(), 1200)">Go</button><h1>Other</h1>`);
    await pressing("button");
    await stage.tab.page.waitForEvent("pageerror");
    await expect(pressing("text=absent")).rejects.toThrow("Nothing matches");
    await expect(pressing("text=absent")).rejects.toThrow("Nothing matches");
    expect((await pressing("h1")).before).toEqual({
      errors: [expect.objectContaining({ text: expect.stringContaining("missing") })],
    });
    expect(await pressing("h1")).not.toHaveProperty("before");
  });

  test("is not told again to who has read the page", async () => {
    await show(
      `<button onclick="setTimeout(() => { out.textContent = 'late' }, 1200)">Go</button><p id=out></p><h1>Other</h1>`,
    );
    await pressing("button");
    await stage.tab.page.waitForFunction("out.textContent === 'late'");
    await takeSnapshot(stage.tab, { signal: stage.signal });
    expect(await pressing("h1")).not.toHaveProperty("before");
  });
});
