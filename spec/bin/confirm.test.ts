/** A person allows at a terminal what the policy keeps back: real client, real daemon, real terminal. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { Project } from "../harness/project.ts";
import { answerAtTerminal, hasTerminals } from "../harness/terminal.ts";
import { BareClient } from "../rpc/wire/bare_client.ts";

let project: Project;
let env: Record<string, string>;

beforeAll(async () => {
  project = new Project();
  mkdirSync(join(project.dir, "home"));
  const policy = [{ do: "confirm", command: ["completion", "skill.run"] }];
  writeFileSync(join(project.dir, "home/config.json"), JSON.stringify({ policy }));
  const printed = await project.run("pair", "me", "--scopes", "control");
  const [, key = ""] = /^KEY=(\S+)$/m.exec(printed) ?? [];
  const [, url = ""] = /BROWSE_URL=(\S+)$/m.exec(printed) ?? [];
  const answer = await fetch(`${url}/pair`, { method: "POST", body: key, headers: { accept: "text/plain" } });
  env = { BROWSE_URL: url, BROWSE_TOKEN: (await answer.text()).trim() };
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

/** The id that `completion` is refused with. */
async function refused(): Promise<string> {
  const { kind, confirmation, exitCode } = await project.refusal("completion", "bash");
  expect([kind, exitCode]).toEqual(["confirmation_required", 4]);
  return String(confirmation);
}

const confirmAtTerminal = (id: string, answer: string) =>
  answerAtTerminal(["confirm", id], answer, { cwd: project.dir, env });

it.runIf(hasTerminals)("runs once what a person has allowed at a terminal with another token", async () => {
  const id = await refused();
  const shown = await confirmAtTerminal(id, "y");
  expect(shown).toContain('root asks for "completion" with {"shell":"bash"}');
  expect(shown).toContain('Allowed "completion" once');
  expect(await project.run("completion", "bash")).toContain("_browse");
  await refused();
});

it.runIf(hasTerminals)("does not run what a person has refused", async () => {
  const id = await refused();
  expect(await confirmAtTerminal(id, "")).toContain('Refused "completion"');
  expect(await refused()).not.toBe(id);
});

it.runIf(hasTerminals)("runs nothing with a yes to a file that holds something else since", async () => {
  const jobs = join(project.dir, "jobs.jsonl");
  const run = async () => await project.refusal("skill", "run", "none", "--each", jobs);
  writeFileSync(jobs, '{"to":"ann"}\n');
  await confirmAtTerminal(String((await run()).confirmation), "y");
  writeFileSync(jobs, '{"to":"bob"}\n');
  const { kind, confirmation } = await run();
  expect(kind).toBe("confirmation_required");
  await confirmAtTerminal(String(confirmation), "y");
  // It is allowed now: there is no such skill.
  expect(await run()).toMatchObject({ kind: "not_found" });
});

it("takes no yes from whoever asks, nor from a program", async () => {
  const id = await refused();
  expect(await project.refusal("confirm", id)).toMatchObject({
    kind: "forbidden",
    message: expect.stringContaining("A caller cannot allow its own call"),
  });
  const headers = { authorization: `Bearer ${env.BROWSE_TOKEN}` };
  const client = new BareClient(new WebSocket(`${env.BROWSE_URL}/rpc`, { headers }));
  await client.opened();
  const { error } = await client.call("confirm", { id });
  expect(error?.message).toBe("Only a person at a terminal can allow a call");
  client.socket.terminate();
  expect(await refused()).toBe(id);
});
