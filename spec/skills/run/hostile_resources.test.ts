/** A skill that takes more than its share, or speaks another language than the daemon: it is ended, and nobody else notices. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isRunning } from "../../harness/is_running.ts";
import type { BareClient } from "../../rpc/wire/bare_client.ts";
import { type Running, startRunning } from "./running.ts";

const FOREVER = "await new Promise(() => setInterval(() => {}, 1_000));";
const FS = 'const fs = process.getBuiltinModule("node:fs");';

let running: Running;
let bystander: BareClient;

beforeAll(async () => {
  running = await startRunning();
  bystander = await running.wire.connect();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

afterEach(async () => {
  expect(running.watched.size).toBe(0);
  expect(running.troubles).toEqual([]);
  expect(await bystander.call("echo", { text: "still here" })).toMatchObject({ result: { text: "still here" } });
});

describe("one that takes memory", () => {
  test.each([
    ["outside of V8's heap", "for (const all = []; ; ) all.push(Buffer.alloc(32 << 20, 1));"],
    [
      "shared between threads",
      "for (const all = []; ; ) all.push(new Uint8Array(new SharedArrayBuffer(32 << 20)).fill(1));",
    ],
    ["in V8's heap", "for (const all = []; ; ) all.push(new Array(1e6).fill(0.5));"],
  ])("%s is ended", async (_where, body) => {
    const { error } = await running.run(running.skill(body), {}, { timeoutMs: 15_000 });
    expect(error.kind).toBe("skill_failed");
  });

  test("is told so", async () => {
    const { error } = await running.run(running.skill("for (const all = []; ; ) all.push(Buffer.alloc(32 << 20, 1));"));
    expect(error.message).toMatch(/took more than 512 MB of memory/);
  });
});

describe("one that takes time", () => {
  test.each([
    ["waits", FOREVER],
    ["does not yield", "for (;;);"],
    ["will not be told", `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); ${FOREVER}`],
  ])("and %s is ended when its time is over", async (_how, body) => {
    const { error } = await running.run(running.skill(`log("begun");${body}`), {}, { timeoutMs: 1_000 });
    expect(error).toMatchObject({ kind: "timeout", exitCode: 124, details: { timeoutMs: 1_000 } });
  });

  test("is ended when its caller gives up", async () => {
    const controller = new AbortController();
    const onLog = () => controller.abort();
    const { error } = await running.run(
      running.skill(`log("begun");${FOREVER}`),
      {},
      { signal: controller.signal, onLog },
    );
    expect(error.kind).toBe("cancelled");
  });

  test("is ended with the token of its caller", async () => {
    const { token: by } = running.wire.tokens.exchange(running.wire.tokens.issuePairingKey({ name: "bob" }).key);
    const onLog = () => void running.wire.tokens.revoke("bob");
    const { error } = await running.run(running.skill(`log("begun");${FOREVER}`), {}, { by, onLog });
    expect(error.kind).toBe("skill_failed");
  });
});

describe("on its channel", () => {
  test.each([
    ["a line without end", `${FS} for (;;) try { fs.writeSync(3, "x".repeat(65_536)); } catch { await null; }`],
    ["what is no JSON", `${FS} fs.writeSync(3, "nonsense\\n"); ${FOREVER}`],
    ["JSON that is no text", `${FS} fs.writeSync(3, '{"jsonrpc":"2.0"}\\n'); ${FOREVER}`],
    ["an object", `process.send({ hello: 1 }); ${FOREVER}`],
    ["a handle's message", `process.send({ cmd: "NODE_HANDLE", type: "net.Socket" }); ${FOREVER}`],
    ["nothing more, as it closes it", `${FS} fs.closeSync(3); ${FOREVER}`],
    ["nothing more, as it disconnects", `process.removeAllListeners("disconnect"); process.disconnect(); ${FOREVER}`],
  ])("one that sends %s is ended", async (_what, body) => {
    const { error } = await running.run(running.skill(body));
    expect(error.kind).toBe("skill_failed");
  });

  test("one that sends texts that are no requests is answered, and goes on", async () => {
    const body = `process.send("nonsense"); process.send("[]"); process.send(JSON.stringify({ jsonrpc: "2.0", method: "skill.result", params: { id: "99", value: "not asked for" } })); return (await browse.call("echo", { text: "hi" })).text;`;
    const { value, error } = await running.run(running.skill(body));
    expect(value ?? error.kind).toMatch(/^(?:hi|skill_failed)$/);
  });

  test("one that gives a result that is nested too deep is told so", async () => {
    const { error } = await running.run(
      running.skill("let deep = 1; for (let i = 0; i < 100; i++) deep = [deep]; return deep;"),
    );
    expect(error).toMatchObject({ kind: "skill_failed", message: expect.stringContaining("nested deeper than 64") });
  });
});

test("one that prints without end has its first megabyte logged, and is ended", async () => {
  const body = `for (let i = 0; ; i++) { console.log("line " + i + " " + "x".repeat(1_000)); if (i % 100 === 0) await new Promise(setImmediate); }`;
  const { error, log } = await running.run(running.skill(body), {}, { timeoutMs: 15_000 });
  expect(error.kind).toBe("skill_failed");
  const length = log.reduce((sum, line) => sum + line.length + 1, 0);
  expect(length).toBeLessThan(1.1 * 1024 * 1024);
  expect(log.at(-1)).toMatch(/^… \d+ more lines were dropped$/);
});

test("what it has left running when it gives its result is ended with it", async () => {
  const pids: number[] = [];
  const skill = running.skill("setInterval(() => {}, 1_000); return process.pid;");
  const { value } = await running.run(skill, {}, { onLog: () => void pids.push(...running.watched.keys()) });
  expect(value).toBeGreaterThan(0);
  for (const pid of pids) expect(isRunning(pid)).toBe(false);
});
