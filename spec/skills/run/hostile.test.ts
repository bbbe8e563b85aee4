/** A skill that wants more than it may: behind each wall that this machine has, it gets nothing, and nothing is as before only by chance. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outerWall } from "../../../skills/run/outer_wall.ts";
import { CONNECTIONS, DENIED, READS, SIGNALS, STARTS, type Targets, trying, WRITES } from "./hostile_attempts.ts";
import { type Running, startRunning } from "./running.ts";

const outer = await outerWall();

const walls = [
  { wall: "the permission model alone", isThere: true, open: async () => ({ reason: "left out" }) },
  { wall: "the permission model and bubblewrap", isThere: outer.path !== undefined, open: outerWall },
];

describe.each(walls)("behind $wall", ({ isThere, open }) => {
  let running: Running;
  let targets: Targets;
  let server: Server;
  let connections = 0;

  beforeAll(async () => {
    running = await startRunning(open);
    server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const secret = join(running.dir, "secret.json");
    writeFileSync(secret, '{"token":"hunter2"}');
    const { port } = server.address() as { port: number };
    targets = { secret, free: join(running.dir, "free.db"), port };
  });

  afterAll(async () => {
    server.close();
    await running[Symbol.asyncDispose]();
  });

  async function outcomes(attempts: Record<string, string>): Promise<Record<string, string>> {
    const skill = running.skill(trying(attempts, targets));
    mkdirSync(`${skill.dir}-beside`);
    writeFileSync(`${skill.dir}-beside/secret.txt`, "hunter2");
    const before = readdirSync(skill.dir);
    const { value, error } = await running.run(skill);
    expect(error).toBeUndefined();
    expect(readdirSync(skill.dir)).toEqual(before);
    return value as Record<string, string>;
  }

  test.skipIf(!isThere).each([
    ["reads nothing but its own folder", READS],
    ["writes nothing", WRITES],
    ["starts nothing", STARTS],
    ["reaches no other process", SIGNALS],
  ])("it %s", async (_what, attempts) => {
    const got = Object.entries(await outcomes(attempts)).filter(([, code]) => !DENIED.has(code));
    expect(got).toEqual([]);
    expect(readdirSync(running.dir)).not.toContain("free.db");
  });

  test.skipIf(!isThere)("it connects to nothing", async () => {
    connections = 0;
    const got = Object.entries(await outcomes(CONNECTIONS)).filter(([, code]) => !DENIED.has(code));
    expect(got).toEqual([]);
    expect(connections).toBe(0);
  });

  test.skipIf(!isThere)("its environment says nothing of ours", async () => {
    process.env.BROWSE_TOKEN_OF_TEST = "hunter2";
    const { value } = await running.run(running.skill("return process.env;"));
    delete process.env.BROWSE_TOKEN_OF_TEST;
    const harmless = /^(?:LANG|LC_[A-Z]+|TERM|TZ|BROWSE_IPC|PWD)$/;
    expect(Object.keys(value as object).filter((name) => !harmless.test(name))).toEqual([]);
  });
});
