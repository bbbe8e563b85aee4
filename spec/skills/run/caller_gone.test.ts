/** A run ends with the connection of whoever asked for it, also as a step of another call. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import WebSocket from "ws";
import { Project } from "../../harness/project.ts";
import { writeSkill } from "../../harness/skills.ts";
import { BareClient } from "../../rpc/wire/bare_client.ts";

let project: Project;

beforeAll(async () => {
  project = new Project();
  await project.run("goto", "about:blank");
  const body = "await browse.newtab(); for (;;) await new Promise((resolve) => setTimeout(resolve, 1_000));";
  writeSkill(join(project.dir, "home"), "endless", { manifest: "source: human\nscopes: [read, write, meta]", body });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

async function tabs(): Promise<number> {
  return ((await project.json("tabs")).tabs as unknown[]).length;
}

test.each([
  ["skill.run", { name: "endless" }],
  ["chain", { commands: "skill run endless" }],
])("by %s", async (method, params) => {
  const { port, token } = project.daemon()!;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { authorization: `Bearer ${token}` } });
  const client = new BareClient(socket);
  await client.opened();
  client.send({ jsonrpc: "2.0", id: 1, method, params });
  await vi.waitFor(async () => expect(await tabs()).toBe(2), { timeout: 20_000 });
  client.socket.terminate();
  await vi.waitFor(async () => expect(await tabs()).toBe(1), { timeout: 20_000 });
});
