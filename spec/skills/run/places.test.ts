/** How many processes of skills run at a time, and for whom. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { rootToken, type Token } from "../../../security/tokens/token.ts";
import { Places } from "../../../skills/run/places.ts";
import { filesOf, type Running, startRunning } from "./running.ts";

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

const AGENT = { family: "agent", isUsers: false, what: 'the skill "prices"', timeoutMs: 20_000 };
const USER = { ...AGENT, family: "root", isUsers: true };
const { signal } = new AbortController();

function paired(name: string, by?: Token): Token {
  const { tokens } = running.wire;
  return tokens.exchange(tokens.issuePairingKey({ name, scopes: ["read"] }, by).key).token;
}

test("sixteen in all, in the order in which they came", async () => {
  const places = new Places();
  const leave = await Promise.all(Array.from({ length: 16 }, async () => await places.take({ ...USER, signal })));
  const began: number[] = [];
  const later = [1, 2].map(async (n) => {
    const free = await places.take({ ...USER, signal });
    began.push(n);
    free();
  });
  await expect(places.take({ ...USER, timeoutMs: 1, signal })).rejects.toMatchObject({
    kind: "timeout",
    message: 'Waited 1 ms for a process for the skill "prices": 16 processes of skills run, and no more may',
  });
  expect(began).toEqual([]);
  for (const free of leave) free();
  await Promise.all(later);
  expect(began).toEqual([1, 2]);
});

test("an agent that has enough is passed by, and one that goes away leaves the queue", async () => {
  const places = new Places();
  const [free] = await Promise.all(Array.from({ length: 4 }, async () => await places.take({ ...AGENT, signal })));
  const gone = new AbortController();
  const first = places.take({ ...AGENT, signal: gone.signal });
  const second = places.take({ ...AGENT, signal });
  (await places.take({ ...USER, signal }))();
  gone.abort();
  await expect(first).rejects.toMatchObject({ kind: "cancelled" });
  free?.();
  (await second)();
});

test("an agent has four, with those that it lends to, until one of them ends", async () => {
  const agent = paired("shopper");
  const callers = [agent, agent, agent, paired("helper", agent)];
  const skill = running.skill("return 1;");
  const whole = { skill, files: filesOf(skill) };
  const run = (by: Token, timeoutMs: number) => ({ by, session: "default", signal, timeoutMs, onLog: () => {} });
  const workers = await Promise.all(callers.map(async (by) => await running.runner.worker(whole, run(by, 60_000))));
  try {
    await expect(running.runner.worker(whole, run(agent, 1))).rejects.toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("4 of its caller run"),
    });
    await (await running.runner.worker(whole, run(rootToken(), 60_000))).end();
    await workers.pop()?.end();
    await (await running.runner.worker(whole, run(agent, 60_000))).end();
  } finally {
    await Promise.all(workers.map(async (worker) => await worker.end()));
  }
  expect(running.watched.size).toBe(0);
});
