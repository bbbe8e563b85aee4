import { describe, expect, test } from "vitest";
import { FakeProject, type SeenCall } from "./fake_project.ts";

const callsOf = (project: FakeProject): SeenCall[] => project.calls().filter(({ argv }) => argv[0] !== "echo");

describe.each([
  ["is started for it", false],
  ["is there", true],
])("With a daemon that %s,", (_what, isWarm) => {
  async function ready(): Promise<FakeProject> {
    const project = new FakeProject();
    if (isWarm) await project.run(["echo"]);
    return project;
  }

  test("a call that a daemon dies of before accepting it is sent to the next daemon", async () => {
    await using project = await ready();
    const answer = await project.run(["die-before"]);
    expect(answer).toEqual({ stdout: "daemon 2\n", stderr: "", exitCode: 0 });
    expect(callsOf(project).map(({ ordinal, id }) => [ordinal, id])).toEqual([
      [1, "1"],
      [2, "1"],
    ]);
  });

  test("a call whose connection breaks before it is accepted is asked for again under the same id", async () => {
    await using project = await ready();
    expect(await project.run(["drop-before"])).toMatchObject({ stdout: "answered\n", exitCode: 0 });
    const [first, second, ...more] = callsOf(project);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
  });

  test("an accepted call whose connection breaks gets the answer from the same daemon, as the same client", async () => {
    await using project = await ready();
    expect(await project.run(["drop-after"])).toMatchObject({ stdout: "stored\n", exitCode: 0 });
    const [first, second, ...more] = callsOf(project);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
  });

  test("an accepted call whose daemon dies is never sent again, and its outcome is called unknown", async () => {
    await using project = await ready();
    const answer = await project.run(["die-after", "@e3"]);
    expect(answer.exitCode).toBe(1);
    expect(answer.stderr).toContain("`browse die-after @e3`; it may or may not have happened");
    expect(callsOf(project)).toHaveLength(1);
    expect(project.pids()).toHaveLength(1);
  });

  test("with --json, the unknown outcome is told as a kind", async () => {
    await using project = await ready();
    const { stderr, stdout } = await project.run(["die-after", "--json"]);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ error: { kind: "outcome_unknown", hint: expect.any(String) } });
  });

  test("daemons that keep dying are given up after a few, with exit code 3", async () => {
    await using project = await ready();
    const answer = await project.run(["die-always"]);
    expect(answer.exitCode).toBe(3);
    expect(answer.stderr).toContain("died 3 times in a row");
    expect(project.pids()).toHaveLength(isWarm ? 4 : 3);
  });
});
