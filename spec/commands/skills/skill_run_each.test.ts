/** `skill run --each` that is broken off by the person, the time or the caller: what was done is kept, and gone on with. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import WebSocket from "ws";
import { Project } from "../../harness/project.ts";
import { writeSkill } from "../../harness/skills.ts";
import { BareClient } from "../../rpc/wire/bare_client.ts";

let project: Project;
let count = 0;

beforeAll(async () => {
  project = new Project({}, { ownProcesses: true });
  writeFileSync(
    join(project.dir, "jobs.jsonl"),
    ["a", "b", "c"].map((n) => `${JSON.stringify({ key: n, n })}\n`).join(""),
  );
  await project.run("start");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

/** A skill whose second job has no end, unless it is told to; `hangsAt`: another one. */
function hanging(hangsAt = "b"): string {
  const name = `hanging-${++count}`;
  writeSkill(join(project.dir, "home"), name, {
    manifest: "source: human\nargs: [{name: n, required: true}, {name: hang, default: true}]",
    body: `if (args.hang && args.n === "${hangsAt}") { log("hangs"); await new Promise(() => setInterval(() => {}, 1_000)); } return args.n;`,
  });
  return name;
}

const each = (name: string, ...more: string[]) => [
  ...["skill", "run", name, "--each", "jobs.jsonl", "--concurrency", "1"],
  ...more,
];

function filesOf(name: string): string[] {
  const dir = join(project.stateDir, "artifacts");
  const files = existsSync(dir) ? readdirSync(dir) : [];
  return files.filter((file) => file.startsWith(name)).map((file) => join(dir, file));
}

function keysIn(path: string): string[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { key: string }).key);
}

async function goesOn(name: string, results: string): Promise<void> {
  const summary = await project.json(...each(name, "--arg", "hang=false", "--resume", results));
  expect(summary).toMatchObject({ done: 3, failed: 0, left: 0, skipped: 1, results });
  expect(keysIn(results)).toEqual(["a", "b", "c"]);
}

test("Ctrl-C leaves what was done, and says before how to go on", async () => {
  const name = hanging();
  const child = project.start(each(name));
  let said = "";
  const hangs = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (said.includes('"hangs"')) hangs.resolve();
  });
  await hangs.promise;
  child.kill("SIGINT");
  expect((await once(child, "close"))[0]).toBe(130);
  const [results = ""] = filesOf(name);
  expect(keysIn(results)).toEqual(["a"]);
  expect(said).toContain(`--resume ${results}`);
  await goesOn(name, results);
});

test("the end of its time leaves what was done, and the error says how to go on", async () => {
  const name = hanging();
  const error = await project.refusal(...each(name, "--timeout", "6000"));
  const [results = ""] = filesOf(name);
  expect(error).toMatchObject({ kind: "timeout", exitCode: 124, done: 1, left: 2, results });
  expect(error.message).toContain("1 of 3 jobs has a result");
  expect(error.hint).toContain(
    `browse skill run ${name} --each ${join(project.dir, "jobs.jsonl")} --resume ${results}`,
  );
  await goesOn(name, results);
});

test("a cancelled call is told the same", async () => {
  const name = hanging();
  const { port, token } = project.daemon()!;
  const url = `ws://127.0.0.1:${port}/rpc`;
  const client = new BareClient(new WebSocket(url, { headers: { authorization: `Bearer ${token}` } }));
  await client.opened();
  const params = { name, each: join(project.dir, "jobs.jsonl"), concurrency: 1 };
  client.send({ jsonrpc: "2.0", id: "run", method: "skill.run", params });
  await client.next(({ method, params: of }) => method === "log" && String(of?.message).includes("hangs"));
  client.send({ jsonrpc: "2.0", method: "call.cancel", params: { id: "run" } });
  const { error } = await client.next(({ id }) => id === "run");
  const [results = ""] = filesOf(name);
  expect(error).toMatchObject({ data: { kind: "cancelled", done: 1, left: 2, failed: 0, results } });
  expect(error?.message).toContain("1 of 3 jobs has a result");
  await goesOn(name, results);
  client.socket.terminate();
});

test("no file without a result is left, nor is one named that does not come to be", async () => {
  const name = hanging("a");
  const error = await project.refusal(...each(name, "--timeout", "4000"));
  expect(error).toMatchObject({ kind: "timeout", done: 0 });
  expect(error).not.toHaveProperty("results");
  writeFileSync(join(project.dir, "broken.jsonl"), '{"n":"a"}\nno\n');
  const refused = await project.cli(["skill", "run", name, "--each", "broken.jsonl"]);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.not.stringContaining("Results go to")]);
  // The workers of the first have ended when the next one's have.
  await expect.poll(() => filesOf(name)).toEqual([]);
});

test("what is done counts with those that failed", async () => {
  const name = `failing-${++count}`;
  const body = 'if (args.n === "b") throw new Error("No"); return 1;';
  writeSkill(join(project.dir, "home"), name, { manifest: "source: human\nargs: [{name: n}]", body });
  const { stdout, exitCode } = await project.cli(each(name));
  expect([stdout, exitCode]).toEqual([expect.stringContaining("3 jobs done, 1 of them failed; results in"), 1]);
});
