/** One run of a skill, from its args to its result, by a real process over a real channel. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rootToken } from "../../../security/tokens/token.ts";
import { processTree } from "../../../skills/run/process_tree.ts";
import { filesOf, type Running, startRunning } from "./running.ts";

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

test("a skill is given its args, and gives one value", async () => {
  const skill = running.skill("return { doubled: args.count * 2, given: args };");
  expect(await running.run(skill, { count: 21 })).toEqual({ value: { doubled: 42, given: { count: 21 } }, log: [] });
});

test("its calls are those of a token of its own, which ends with it", async () => {
  const skill = running.skill('return (await browse.call("echo", { text: "hi" })).text;');
  expect((await running.run(skill)).value).toBe("hi");
  const { caller } = running.wire.seen.at(-1)!;
  expect(caller).toMatchObject({ via: "local", token: { kind: "skill", name: skill.name, tabs: "own" } });
  expect(running.wire.tokens.isLive(caller.token)).toBe(false);
  expect(running.closed.at(-1)).toBe(caller.token);
  expect(running.watched.size).toBe(0);
});

test("a run that nobody has answered says so, and how it is agreed to; a script does not by its word", async () => {
  const throws = 'throw Object.assign(new Error("Please"), { kind: "confirmation_required" });';
  const agents = { source: "agent", scopes: ["read", "write"] } as const;
  const waits = running.skill(`await browse.call("hold", { key: "asked" }); ${throws}`, {
    ...agents,
    scopes: [...agents.scopes],
  });
  const ran = running.run(waits);
  await running.wire.gate.arrival("asked");
  running.wire.seen.at(-1)!.caller.approval!.answered(undefined);
  running.wire.gate.release("asked");
  const { error } = await ran;
  expect([error.kind, error.exitCode]).toEqual(["confirmation_required", 4]);
  expect(error.hint).toContain(`browse skill trust ${waits.name}`);
  const claims = running.skill(throws, { ...agents, scopes: [...agents.scopes] });
  expect((await running.run(claims)).error.kind).toBe("skill_failed");
});

test("a run is taken up by a process that was started after the one before, with what the script is by now", async () => {
  const { runner } = running;
  const skill = running.skill("return { began: performance.timeOrigin, says: 'before' };");
  const run = async () => {
    const asked = performance.timeOrigin + performance.now();
    const how = { by: rootToken(), session: "default", signal: new AbortController().signal, onLog: () => {} };
    const { began, says } = (await runner.run({ skill, files: filesOf(skill) }, {}, how)) as {
      began: number;
      says: string;
    };
    return { isAhead: began < asked, says };
  };
  try {
    expect(await run()).toEqual({ isAhead: false, says: "before" });
    const script = join(skill.dir, "script.ts");
    writeFileSync(script, readFileSync(script, "utf8").replace("before", "after"));
    // One that has begun is taken up, and waited for.
    await vi.waitFor(async () => expect(await run()).toEqual({ isAhead: true, says: "after" }), 20_000);
    // One that has died is not waited for.
    await vi.waitFor(() => expect(running.watched.size).toBe(1));
    const [spare = 0] = running.watched.keys();
    // With the outer wall around it, which may not be up yet.
    for (const pid of processTree(spare)) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect([...running.watched.keys()]).not.toContain(spare));
    expect(await run()).toMatchObject({ says: "after" });
  } finally {
    await runner.rest();
  }
  expect(running.watched.size).toBe(0);
});

test("has no more than fifty calls open at a time", async () => {
  const skill = running.skill(`
    const calls = Array.from({ length: 51 }, (_, n) => browse.call("hold", { key: "open-" + n }));
    return await Promise.race(calls).catch(({ kind, message }) => ({ kind, message }));`);
  const { value } = await running.run(skill);
  expect(value).toEqual({ kind: "rate_limited", message: "More than 50 calls of this connection are unanswered" });
});
