import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";

let project: Project;

beforeAll(async () => {
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

describe("docs", () => {
  it("describes every command for programs", async () => {
    const { commands } = JSON.parse(await project.run("docs")) as { commands: { name: string }[] };
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["goto", "snapshot", "chain"]));
    const openrpc = JSON.parse(await project.run("docs", "--openrpc")) as {
      openrpc: string;
      methods: { name: string }[];
    };
    expect(openrpc.openrpc).toMatch(/^1\./);
    for (const { name } of commands) expect(openrpc.methods.map((method) => method.name)).toContain(name);
  });
});
