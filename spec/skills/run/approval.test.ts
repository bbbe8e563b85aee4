/** Skills of an agent's making: each of their actions is asked for, until a person has allowed all of a run. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import WebSocket from "ws";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";
import { writeSkill } from "../../harness/skills.ts";
import { answerAtTerminal, hasTerminals } from "../../harness/terminal.ts";
import { BareClient } from "../../rpc/wire/bare_client.ts";

const MANIFEST = "source: agent\nscopes: [read, write, meta]";

let site: Site;
let project: Project;
let person: BareClient;
let count = 0;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Shop</title><input id=q><input id=pw type=password><button onclick=\"document.title += '!'\">Buy</button>",
  });
  project = new Project();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  person = await connected(project.daemon()!.token);
  await person.call("events.subscribe", { topics: ["security"] });
});

afterEach(() => person.socket.terminate());

async function connected(token: string): Promise<BareClient> {
  const url = `ws://127.0.0.1:${project.daemon()!.port}/rpc`;
  const client = new BareClient(new WebSocket(url, { headers: { authorization: `Bearer ${token}` } }));
  await client.opened();
  return client;
}

/** One that presses the button so many times. */
function pressing(times: number, press = 'await browse.click({ target: "text=Buy" });'): string {
  const name = `pressing-${++count}`;
  const body = `await browse.goto({ url: "${site.url}" }); ${press.repeat(times)} return (await browse.title()).title;`;
  writeSkill(join(project.dir, "home"), name, { manifest: MANIFEST, body });
  return name;
}

/** Runs it as at a terminal, where the person answers each question; gives the answer and the questions. */
async function runAtTerminal(name: string, answer: string) {
  const id = `run-${++count}`;
  const questions: string[] = [];
  person.send({
    jsonrpc: "2.0",
    id,
    method: "cli.exec",
    params: { argv: ["skill", "run", name, "--json"], cwd: project.dir, tty: true, version: project.daemon()!.version },
  });
  for (;;) {
    const message = await person.next(
      ({ id: of, method, params }) => of === id || (method === "ask" && params?.id === id),
    );
    if (message.method !== "ask")
      return { ...(message.result as { stdout: string; stderr: string; exitCode: number }), questions };
    questions.push(String(message.params!.question));
    person.send({ jsonrpc: "2.0", method: "call.reply", params: { id, text: answer } });
  }
}

/** What `browse confirm` says, with the person's answer to its question. */
async function confirmAtTerminal(id: string, text: string) {
  const call = `confirm-${id}`;
  const params = { argv: ["confirm", id], cwd: project.dir, tty: true, version: project.daemon()!.version };
  person.send({ jsonrpc: "2.0", id: call, method: "cli.exec", params });
  await person.next(({ method, params: of }) => method === "ask" && of?.id === call);
  person.send({ jsonrpc: "2.0", method: "call.reply", params: { id: call, text } });
  return (await person.next(({ id: of }) => of === call)).result as { stdout: string };
}

async function waiting(): Promise<Record<string, unknown>> {
  const { params } = await person.next(
    ({ method, params: of }) => method === "event" && (of?.data as { event?: string } | undefined)?.event === "confirm",
  );
  return params!.data as Record<string, unknown>;
}

test("a person at the terminal is asked for each action, and for that content never again", async () => {
  const name = pressing(2);
  const first = await runAtTerminal(name, "y");
  expect(first.questions).toHaveLength(2);
  expect(first.questions[0]).toMatch(/^The skill pressing-\d+ is about to run "click" on http:\S+ with .*text=Buy/);
  expect(JSON.parse(first.stdout).value).toBe("Shop!!");
  expect((await runAtTerminal(name, "y")).questions).toEqual([]);
  writeSkill(join(project.dir, "home"), name, {
    manifest: `${MANIFEST}\nversion: 2`,
    body: `await browse.goto({ url: "${site.url}" }); await browse.click({ target: "text=Buy" }); return 1;`,
  });
  expect((await runAtTerminal(name, "y")).questions).toHaveLength(1);
});

test.runIf(hasTerminals)("each answer that is typed is the answer to one question", async () => {
  const env = { BROWSE_STATE_DIR: project.stateDir, BROWSE_HOME: join(project.dir, "home") };
  const shown = await answerAtTerminal(["skill", "run", pressing(3)], ["y", "y", "y"], { cwd: project.dir, env });
  expect(shown.match(/Allow "click"\?/g)).toHaveLength(3);
  expect(shown).toContain('"Shop!!!"');
});

test("what is typed is shown to the person at the terminal, unless it is a secret; then its argument is named", async () => {
  const name = `filling-${++count}`;
  const fill = (target: string, value: string) => `await browse.fill({ target: "${target}", value: ${value} });`;
  writeSkill(join(project.dir, "home"), name, {
    manifest: `${MANIFEST}\nargs: [{name: quantity, default: 12}, {name: password, default: hunter2}]`,
    body: `await browse.goto({ url: "${site.url}" }); ${fill("#q", "String(args.quantity)")} ${fill("#pw", "args.password")}`,
  });
  const { questions } = await runAtTerminal(name, "y");
  expect(questions[0]).toContain('"value":"12"');
  expect(questions[1]).toContain('"value":"<argument password>"');
  expect(await project.journal()).not.toMatch(/hunter2|"value":"12"/);
});

test("a no is told to the skill, does nothing, and is asked again the next time", async () => {
  const name = pressing(1);
  const refused = await runAtTerminal(name, "n");
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stderr.split("\n").find((line) => line.startsWith("{"))!).error).toMatchObject({
    kind: "skill_failed",
    error: { kind: "forbidden" },
  });
  expect((await runAtTerminal(name, "y")).questions).toHaveLength(1);
});

test("a run that fails after a yes is asked for again", async () => {
  const name = pressing(1, 'await browse.click({ target: "text=Buy" }); throw new Error("Sold out");');
  for (const _ of [1, 2]) expect((await runAtTerminal(name, "y")).questions).toHaveLength(1);
});

test("steps of one call are each asked for", async () => {
  const name = pressing(1, "await browse.chain({ commands: \"click 'text=Buy' | click 'text=Buy'\" });");
  const { questions, stdout } = await runAtTerminal(name, "y");
  expect([questions.length, JSON.parse(stdout).value]).toEqual([2, "Shop!!"]);
});

test("where nobody is at a terminal, the call waits for whoever confirms it", async () => {
  const name = pressing(1);
  const root = await connected(project.daemon()!.token);
  const ran = root.call("skill.run", { name });
  const { confirmation, command, run, token } = await waiting();
  const told = await root.next(({ method }) => method === "log");
  expect(told.params?.message).toBe(`${name} is waiting for a person: \`browse confirm ${confirmation}\` allows it`);
  expect({ command, run, token }).toEqual({
    command: "click",
    run: `browse confirm ${confirmation}`,
    token: `skill ${name}`,
  });
  expect((await confirmAtTerminal(String(confirmation), "y")).stdout).toContain("Allowed");
  expect((await ran).result).toMatchObject({ value: "Shop!" });
  root.socket.terminate();
});

test("an agent does not confirm what a skill asks that it runs", async () => {
  const name = pressing(1);
  const { key } = (await person.call("pair", { name: "bob", scopes: "read,write,meta,control" })).result!;
  const exchanged = await fetch(`http://127.0.0.1:${project.daemon()!.port}/pair`, {
    method: "POST",
    body: JSON.stringify({ key }),
  });
  const bob = await connected(String(((await exchanged.json()) as { token: string }).token));
  const ran = bob.call("skill.run", { name });
  const { confirmation } = await waiting();
  expect((await bob.call("confirm", { id: confirmation })).error?.data.kind).toBe("forbidden");
  expect((await confirmAtTerminal(String(confirmation), "n")).stdout).toContain("Refused");
  expect((await ran).error?.data).toMatchObject({ kind: "skill_failed", error: { kind: "forbidden" } });
  bob.socket.terminate();
});

test("what it is given does not push the question out of sight", async () => {
  const name = pressing(1, `await browse.click({ target: "text=Buy" + " ".repeat(2_000) + "\\u202e" });`);
  const { questions } = await runAtTerminal(name, "n");
  expect(questions[0]?.length).toBeLessThan(500);
  expect(questions[0]).toMatch(/is about to run "click" .*text=Buy .*\nAllow "click"\? \[y\/N\] $/);
});
