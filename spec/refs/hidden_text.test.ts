/** Text that nobody sees: found however it is hidden, and nothing claimed of what can be read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMarkdown } from "../../commands/read/_markdown.ts";
import { readText } from "../../refs/read/text.ts";
import { renderSnapshot } from "../../refs/snapshot/render.ts";
import { takeSnapshot } from "../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "./act/stage.ts";
import { HIDING, ORDER, SHOWN } from "./hiding.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const text = async () => await readText(stage.tab, undefined, stage);
const markdown = async () => await readMarkdown(stage.tab, undefined, { article: false, signal: stage.signal });
const snapshot = async () => renderSnapshot(await takeSnapshot(stage.tab, { signal: stage.signal }));

describe("text that is hidden", () => {
  test.each(HIDING)("by %s is marked, and is in no text", async (_, html, how) => {
    await stage.show(`<h1>Shop</h1>${html}`);
    expect(await snapshot()).toContain(`hidden(${how})`);
    expect(await snapshot()).toContain(ORDER);
    expect(await text()).toBe("Shop");
    expect((await markdown()).trim()).toBe("# Shop");
  });

  test.each(HIDING)("by %s is found in a frame's shadow root", async (_, html, how) => {
    const inside = `<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode: "open"}).innerHTML = ${JSON.stringify(html)}</script>`;
    const style = "<style>iframe{border:0;width:780px;height:560px}</style>";
    await stage.show(`<h1>Shop</h1>${style}<iframe src="${stage.other}/outer"></iframe>`, {
      "/outer": `${style}<iframe src="${stage.origin}/inner"></iframe>`,
      // What is said of the body is not said in a shadow root.
      "/inner": `<style>body{overflow-x:hidden}</style>${inside}`,
    });
    expect(await snapshot()).toContain(`hidden(${how})`);
    expect(await text()).toBe("Shop");
  });
});

describe("text below the body", () => {
  const below = `<p style="position:relative;z-index:-1">${ORDER}</p>`;

  test("is hidden where the window has the color of the root", async () => {
    await stage.show(`<style>html,body{background:#fff}</style><h1>Shop</h1>${below}`);
    expect(await snapshot()).toContain("hidden(covered)");
    expect(await text()).toBe("Shop");
  });

  test("is seen where the window has that of the body", async () => {
    await stage.show(`<style>body{background:#eee}</style><h1>Shop</h1>${below}`);
    expect(await snapshot()).not.toContain("hidden(");
  });
});

describe("text that can be read", () => {
  test.each(SHOWN)("stays: %s", async (_, html, words) => {
    await stage.show(`<h1>Shop</h1>${html}`);
    expect(await text()).toContain(words);
    expect(await markdown()).toContain(words);
    expect(await snapshot()).not.toContain("hidden(");
  });

  test("in a picture stays, whatever its shapes are filled with", async () => {
    const text =
      '<text y="20" fill="#fff">White on black</text><text y="35" font-size="1" transform="scale(20)">Tiny</text>';
    await stage.show(`<svg width="300" height="40"><rect width="300" height="40"/>${text}</svg>`);
    expect(await snapshot()).not.toContain("hidden(");
  });
});
