import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeProject } from "./fake_project.ts";

let project: FakeProject;
beforeAll(() => {
  project = new FakeProject();
});
afterAll(() => project[Symbol.asyncDispose]());

/** The params of `cli.exec` as the daemon got them. */
async function sent(...args: Parameters<FakeProject["run"]>): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await project.run(...args);
  if (stderr) throw new Error(stderr);
  return JSON.parse(stdout);
}

test("the daemon gets the arguments as they were typed, the folder, and where the answer goes", async () => {
  const argv = ["echo", "--flag=ä", "two words", "", "--", "-x"];
  expect(await sent(argv)).toMatchObject({ argv, cwd: project.dir, tty: false });
});

test("BROWSE_SESSION travels with each call", async () => {
  expect(await sent(["echo"], { env: { BROWSE_SESSION: "work" } })).toMatchObject({ session: "work" });
});

test("an answer in one-byte fragments is put together", async () => {
  expect(await project.run(["fragments"])).toEqual({ stdout: "whole\n", stderr: "", exitCode: 0 });
});

test("an answer of 20 MB arrives whole", async () => {
  const { stdout } = await project.run(["big", "10000000"]);
  expect(stdout === "é".repeat(10_000_000)).toBe(true);
});

test("a ping is answered while a command runs", async () => {
  expect(await project.run(["ping"])).toMatchObject({ stdout: "pong there?\n" });
});

test("output and log lines are printed in order, each to its stream, before the answer", async () => {
  expect(await project.run(["stream"])).toEqual({ stdout: "one\nfour\n", stderr: "two\nthree\n", exitCode: 0 });
});

test.each([0, 1, 2, 4, 124])("exit code %i of the answer is the exit code of the process", async (exitCode) => {
  expect(await project.run(["code", String(exitCode)])).toEqual({ stdout: "", stderr: "It failed\n", exitCode });
});

test("an error of the protocol is printed with its hint and exit code", async () => {
  expect(await project.run(["refuse"])).toEqual({ stdout: "", stderr: "Error: No\nHint: Ask\n", exitCode: 4 });
});

test("an argument of a megabyte arrives whole", async () => {
  const long = "x".repeat(100_000);
  const { argv } = await sent(["echo", ...Array.from({ length: 10 }, () => long)]);
  expect((argv as string[]).join("").length).toBe(1_000_004);
});

test("a lone - sends standard input along, byte order mark, blank lines and all", async () => {
  const stdin = "\ufeffä\r\n\n  x\n";
  expect(await sent(["echo", "-"], { stdin })).toMatchObject({ stdin });
});

test("standard input is left alone when nothing asks for it", async () => {
  expect(await sent(["echo", "x"], { stdin: "unread" })).not.toHaveProperty("stdin");
});

test("standard input that is not UTF-8 is refused, with exit code 2", async () => {
  const answer = await project.run(["echo", "-"], { stdin: Uint8Array.of(0x61, 0xff, 0xfe) });
  expect(answer).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not UTF-8") });
});

test("input over the daemon's limit is refused before it is sent", async () => {
  const answer = await project.run(["echo", "-"], { stdin: "x".repeat(17 * 1024 * 1024) });
  expect(answer).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("over 16 MB") });
});

test("repl runs one command a line over one connection, split as a shell would", async () => {
  const stdin = `echo 'a b' "c \\"d\\"" e\\ f # a comment\n\n# nothing\n  echo last`;
  const { stdout, exitCode } = await project.run(["repl"], { stdin });
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).argv),
  ).toEqual([
    ["echo", "a b", 'c "d"', "e f"],
    ["echo", "last"],
  ]);
  expect(exitCode).toBe(0);
  const [first, second] = project.calls().slice(-2);
  expect(second?.client).toBe(first?.client);
  expect(second?.id).not.toBe(first?.id);
});

test("piped commands go on after a failure and end with the exit code of the last that failed", async () => {
  const stdin = "code 4\ncode 1\necho 'open\necho\n\necho\nquit\necho";
  const { stdout, stderr, exitCode } = await project.run(["--session", "s", "-"], { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("never closed");
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).argv),
  ).toEqual(Array.from({ length: 2 }, () => ["--session", "s", "echo"]));
});

test("repl is known behind global flags with values, and hands them to each command", async () => {
  const globals = ["--out", "file", "--offset", "5"];
  const { stdout } = await project.run([...globals, "repl"], { stdin: "echo" });
  expect(JSON.parse(stdout).argv).toEqual([...globals, "echo"]);
});

test("a reader that goes away ends the client quietly", async () => {
  const { stderr, exitCode } = await project.run(["flood"], {
    onChild: (child) => child.stdout?.once("data", () => child.stdout?.destroy()),
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 141 });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s cancels the call and ends with %i", async (signal, exitCode) => {
  const before = project.calls().length;
  const answer = await project.run(["hang"], {
    onChild: (child) => {
      const look = setInterval(() => {
        if (project.calls().length === before) return;
        clearInterval(look);
        child.kill(signal);
      }, 5);
    },
  });
  expect(answer).toEqual({ stdout: "", stderr: "", exitCode });
  const [hung] = project.calls().slice(before);
  await expect.poll(() => project.calls().at(-1)).toMatchObject({ method: "call.cancel", params: { id: hung?.id } });
});

test("a call that takes longer than its --timeout is cancelled, and called unknown once it was accepted", async () => {
  const { stderr, exitCode } = await project.run(["hang", "--timeout", "1ms", "--json"]);
  expect([exitCode, JSON.parse(stderr).error.kind]).toEqual([1, "outcome_unknown"]);
  await expect.poll(() => project.calls().at(-1)?.method).toBe("call.cancel");
});

test.each([
  { argv: ["--version"] },
  { argv: ["--quiet", "--version"] },
  { argv: ["--version", "--no-start"] },
  { argv: ["--session", "work", "--version"] },
])("$argv is answered without a daemon, as text and as JSON", async ({ argv }) => {
  const before = project.calls().length;
  const { stdout } = await project.run(argv);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{8}\n$/);
  const json = `${JSON.stringify({ version: stdout.trim() })}\n`;
  expect(await project.run([...argv, "--json"])).toEqual({ stdout: json, stderr: "", exitCode: 0 });
  expect(project.calls()).toHaveLength(before);
});

test("--version after a command is the daemon's to answer", async () => {
  expect(await sent(["echo", "--version"])).toMatchObject({ argv: ["echo", "--version"] });
});

test("all of these commands were answered by one daemon", () => {
  expect(project.pids()).toHaveLength(1);
});
