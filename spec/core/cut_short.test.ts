/**
 * Actions that are cut short after something was sent: by a timeout, a death, a shutdown. None is said not to have
 * happened, none is said to be done, and none is to be repeated blindly. The server counts what reached it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;
/** Payments that reached the server. */
let payments = 0;

const PAY = `<form method=post action=/pay><input name=a><button id=pay>Pay</button></form>
  <button id=block onclick="navigator.sendBeacon('/pay'); for (const end = Date.now() + 4000; Date.now() < end;);">Block</button>
  <button id=open onclick="window.open('/')">Open</button><button id=leave onclick="window.close()">Leave</button>
  <p id=big style="height: 20000px">big</p>`;

beforeAll(async () => {
  site = await Site.serve({
    "/": PAY,
    // Never answered: whoever waits for it is cut short.
    "/pay": () => payments++,
    "/busy": `<button id=b>Busy</button><script>onload = () => setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end;); }, 200)</script>`,
  });
  project = new Project();
});
beforeEach(async () => {
  payments = 0;
  await project.run("newtab", `${site.url}/`);
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Asserts that nothing was promised: neither that it happened, nor that it did not. */
async function expectUnknown(...argv: string[]): Promise<{ message: string; ended?: unknown }> {
  const refusal = await project.refusal(...argv);
  expect(refusal).toMatchObject({ kind: "outcome_unknown", message: expect.stringContaining("is not known") });
  expect(refusal.hint).toContain("before you repeat it");
  expect(payments).toBe(1);
  return refusal;
}

async function renderersOf(): Promise<number[]> {
  const { processes } = (await project.json("memory")) as { processes: { pid: number; type: string }[] };
  return processes.filter(({ type }) => type === "renderer").map(({ pid }) => pid);
}

async function untilPaid(): Promise<void> {
  await vi.waitFor(() => expect(payments).toBe(1), { interval: 10, timeout: 5_000 });
}

describe("a timeout", () => {
  test("of a press whose form is not answered", async () => {
    expect(await expectUnknown("click", "#pay", "--timeout", "1000")).toMatchObject({
      ended: "timeout",
      timeoutMs: 1_000,
    });
  });

  test("of a key whose form is not answered", async () => {
    await project.run("focus", "[name=a]");
    await expectUnknown("press", "Enter", "--timeout", "1000");
  });

  test("of a press whose page then hangs", async () => {
    await expectUnknown("click", "#block", "--timeout", "1000");
  });

  test("of a chain of which a step had pressed", async () => {
    await expectUnknown("chain", "title | click '#pay' | title", "--timeout", "1000");
  });

  test("before anything was sent is a timeout", async () => {
    await project.run("goto", `${site.url}/busy`);
    await project.run("wait", "400");
    const refusal = await project.refusal("click", "#b", "--timeout", "500");
    expect(refusal).toMatchObject({ kind: "timeout", exitCode: 124 });
  });
});

describe("a renderer that dies", () => {
  test("during a press is a crash of which the outcome is not known, told at once", async () => {
    const renderers = await renderersOf();
    const refusal = expectUnknown("click", "#pay");
    await untilPaid();
    for (const pid of renderers) process.kill(pid, "SIGKILL");
    expect((await refusal).message).toContain("has crashed");
  });

  test("before a tab is in it costs nobody the tab", async () => {
    for (let round = 0; round < 5; round++) {
      for (const pid of await renderersOf()) process.kill(pid, "SIGKILL");
      await project.run("newtab", `${site.url}/`);
    }
  });

  test("during a reading is a crash", async () => {
    await project.run("goto", `${site.url}/busy`);
    await project.run("wait", "400");
    const renderers = await renderersOf();
    const refusal = project.refusal("text");
    for (const pid of renderers) process.kill(pid, "SIGKILL");
    expect(await refusal).toMatchObject({ kind: "tab_gone", message: expect.stringContaining("has crashed") });
  });
});

test("a page that closes its own tab is still said to have", async () => {
  const { effect } = (await project.json("click", "#open")) as { effect: { opened: string[] } };
  await project.run("tab", String(effect.opened[0]));
  expect(await project.run("click", "#leave")).toContain("the tab closed");
});

describe("with a browser of its own", () => {
  test("a daemon that is stopped during a press does not say that it did not happen", async () => {
    await using other = new Project();
    await other.run("goto", `${site.url}/`);
    const refusal = other.refusal("click", "#pay");
    await untilPaid();
    await other.run("stop");
    expect(await refusal).toMatchObject({ kind: "outcome_unknown", ended: "cancelled" });
  });

  test("a browser that dies during a press has not closed the tab", async () => {
    await using other = new Project();
    await other.run("goto", `${site.url}/`);
    const { processes } = (await other.json("memory")) as { processes: { pid: number; type: string }[] };
    const refusal = other.refusal("click", "#pay");
    await untilPaid();
    process.kill(processes.find(({ type }) => type === "browser")?.pid ?? 0, "SIGKILL");
    expect(await refusal).toMatchObject({ kind: "outcome_unknown", ended: "browser_gone" });
  });
});
