/** One run of a skill, from its args to its result, by a real process over a real channel. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startRunning } from "./running.ts";

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
