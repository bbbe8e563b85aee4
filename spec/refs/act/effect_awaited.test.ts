/** What an action's effect waits for: the timers that it sets, and all else that it begins. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickElement } from "../../../refs/act/click.ts";
import { effectOf, pressing, show } from "./effect_of.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe("timers that an action sets", () => {
  const later = (ms: number) =>
    `<button onclick="setTimeout(() => { out.textContent = 'late' }, ${ms})">Go</button><p id=out></p>`;

  test.each([0, 100, 700])("of %i ms are waited for", async (ms) => {
    await show(stage, later(ms));
    expect(await pressing(stage, "button")).toMatchObject({ changed: expect.any(Number) });
    expect(await stage.tab.page.textContent("#out")).toBe("late");
  });

  test("are waited for one after the other, and in frames", async () => {
    await show(
      stage,
      `<iframe name=inner srcdoc="<button onclick='setTimeout(() => setTimeout(() => { out.textContent = 1 }, 90), 90)'>Go</button><p id=out></p>"></iframe>`,
    );
    const ref = await stage.refIn("inner", "button");
    const { tab, signal } = stage;
    expect(await effectOf(stage, () => clickElement(tab, ref, { signal }))).toMatchObject({
      changed: expect.any(Number),
    });
  });

  test("that are far away are not, and what they bring is told with the next action", async () => {
    await show(stage, `${later(1_300)}<h1>Other</h1>`);
    const { nothing, watchedMs } = await pressing(stage, "button");
    expect(nothing).toBe(true);
    expect(watchedMs).toBeLessThan(1_000);
    await stage.tab.page.waitForFunction("out.textContent === 'late'");
    expect(await pressing(stage, "h1")).toMatchObject({ before: { changed: 1 }, nothing: true });
    expect(await pressing(stage, "h1")).not.toHaveProperty("before");
  });

  test("leave the page its own functions, and the values that these had", async () => {
    await show(
      stage,
      `<button onclick="setTimeout(() => say(String(this)), '30'); setTimeout('say(1)'); setTimeout((a) => say(a), 10, 'given')">Go</button>`,
    );
    const own = await stage.tab.page.evaluateHandle("[setTimeout, setInterval]");
    await pressing(stage, "button");
    expect(await stage.log()).toEqual([1, "given", "[object HTMLButtonElement]"]);
    await expect.poll(() => own.evaluate((functions) => Object.is((functions as unknown[])[0], setTimeout))).toBe(true);
  });

  test("are waited for on pages that have put their own functions in the place of the browser's", async () => {
    await show(
      stage,
      `<script>const native = setTimeout; window.setTimeout = (...given) => native(...given);</script>${later(200)}`,
    );
    expect(await pressing(stage, "button")).toHaveProperty("changed");
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
    await show(stage, page(script, before));
    await stage.tab.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    expect(await pressing(stage, "button")).toHaveProperty("changed");
    expect(await stage.tab.page.textContent("#out")).toBe("late");
  });

  test("a form that is sent", async () => {
    await stage.show(`<form action=/sent>${button("this.form.requestSubmit()")}<p id=near></p></form>`, {
      "/sent": "<h1>Sent</h1>",
    });
    expect(await pressing(stage, "button")).toMatchObject({ navigated: `${stage.origin}/sent?` });
  });

  test("and the page has its own functions back", async () => {
    await show(stage, page("requestAnimationFrame(late)"));
    const own = await stage.tab.page.evaluateHandle(
      "[requestAnimationFrame, Worker, MessagePort.prototype.postMessage]",
    );
    await pressing(stage, "button");
    const isBack = () =>
      own.evaluate((functions) => {
        const now = [requestAnimationFrame, Worker, MessagePort.prototype.postMessage];
        return now.every((each, index) => Object.is(each, (functions as unknown[])[index]));
      });
    await expect.poll(isBack).toBe(true);
  });
});
