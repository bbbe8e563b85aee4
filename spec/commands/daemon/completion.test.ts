import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../../client.ts";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";

let project: Project;
let script: string;

beforeAll(async () => {
  project = await SharedProject.open();
  script = await project.run("completion", "bash");
});

afterAll(() => project[Symbol.asyncDispose]());

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _browse; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", `${script}\n${ask}`], { encoding: "utf8", cwd: project.dir })
    .trim()
    .split("\n");
}

test("commands are completed, by their aliases too", () => {
  expect(offered("browse", "clo")).toEqual(expect.arrayContaining(["closetab", "close"]));
  expect(offered("browse", "")).toContain("snapshot");
  expect(offered("browse", "--json", "snap")).toEqual(["snapshot"]);
});

test("flags are completed: the command's own, and those that every command takes", () => {
  expect(offered("browse", "snapshot", "--int")).toEqual(["--interactive"]);
  expect(offered("browse", "snapshot", "--sess")).toEqual(["--session"]);
  expect(offered("browse", "title", "--int")).toEqual([""]);
});

test("the values of a flag are completed where they are listed", () => {
  expect(offered("browse", "goto", "--wait", "")).toEqual(expect.arrayContaining(["load", "dom", "idle", "commit"]));
});

test("the words of a first argument are completed where they are listed", () => {
  expect(offered("browse", "is", "")).toEqual(expect.arrayContaining(["visible", "focused"]));
  expect(offered("browse", "record", "st")).toEqual(["start", "stop"]);
  expect(offered("browse", "help", "closet")).toEqual(["closetab"]);
  expect(offered("browse", "is", "visible", "vis")).toEqual([""]);
});

test.each([
  ["clo", ["closetab", "close"]],
  ["--session work snap", ["snapshot"]],
  ["snapshot --int", ["--interactive"]],
  ["record st", ["start", "stop"]],
  ["goto localhost --wait d", ["dom"]],
  ["click --modi", ["--modifiers"]],
  ["click --target but", []],
  ["no-such-command x", []],
  ["--no-such-flag x", []],
])("what has been typed of a line, %j, may go on with %j", async (line, words) => {
  const { port, token } = project.daemon() ?? {};
  const client = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token: token ?? "", start: false });
  expect(await client.call("cli.complete", { line })).toEqual({ words });
  await client.close();
});

test.each(["zsh", "fish"])("%s gets a script with every command", async (shell) => {
  const text = await project.run("completion", shell);
  for (const name of ["goto", "snapshot", "closetab"]) expect(text).toContain(name);
});

test("another shell is refused, and those that can be taught are named", async () => {
  expect(await project.refusal("completion", "tcsh")).toMatchObject({
    kind: "invalid_params",
    exitCode: 2,
    message: expect.stringMatching(/bash.*zsh.*fish/),
  });
});
