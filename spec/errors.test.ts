import { expect, test } from "vitest";
import { EXIT_CODES } from "../bin/cli/failure.ts";
import { ERROR_KINDS } from "../errors.ts";
import { Project } from "./harness/project.ts";

test("The client ends with the exit codes of the table, for the kinds that it tells by itself", () => {
  const codes = Object.entries(ERROR_KINDS).map(([kind, { exitCode }]) => [kind, exitCode]);
  expect(Object.fromEntries(codes)).toMatchObject(EXIT_CODES);
});

test("No two kinds share a code", () => {
  const codes = Object.values(ERROR_KINDS).map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

test("Without a daemon, --no-start ends with a kind of the table", async () => {
  await using project = new Project();
  const { kind, exitCode } = await project.refusal("url", "--no-start");
  expect(ERROR_KINDS).toHaveProperty(kind);
  expect(exitCode).toBe(ERROR_KINDS.no_daemon.exitCode);
});
