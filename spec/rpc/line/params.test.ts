import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { type Command, defineCommand, findCommand } from "../../../commands/command.ts";
import { isSecret } from "../../../commands/params.ts";
import { BrowseError } from "../../../errors.ts";
import { type Notation, parseParams } from "../../../rpc/line/params.ts";

function define(name: string, params: Command["params"], more: Partial<Command> = {}): Command {
  defineCommand({
    name,
    category: "read",
    summary: "Test",
    scope: "read",
    effect: "none",
    needs: "daemon",
    output: "plain",
    fromPage: "nothing",
    params,
    result: v.strictObject({}),
    examples: [],
    run: () => ({}),
    render: () => "",
    ...more,
  });
  return findCommand(name)!;
}

const command = define(
  "sample",
  v.pipe(
    v.strictObject({
      target: v.pipe(v.string(), v.minLength(1, "must not be empty")),
      newTab: v.optional(v.boolean()),
      depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      wait: v.optional(v.picklist(["load", "dom"])),
      password: v.optional(v.pipe(v.string(), v.maxLength(3), isSecret())),
      list: v.optional(v.array(v.string())),
      steps: v.optional(v.array(v.strictObject({ run: v.string(), wait: v.optional(v.number()) }))),
    }),
    v.check(({ newTab, depth }) => !(newTab && depth), "newTab and depth exclude one another."),
  ),
  { cli: { positional: ["target"] } },
);

function problem(raw: Record<string, unknown>, notation?: Notation): BrowseError {
  try {
    parseParams(command, raw, notation);
  } catch (error) {
    if (error instanceof BrowseError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}

describe("Params", () => {
  test("that are missing under another name are named with that one", () => {
    expect(problem({ tarjet: "a" }).message).toBe('Missing "target"; there is no "tarjet"');
  });

  test("that fit are parsed", () => {
    expect(parseParams(command, { target: "a", depth: 3 })).toEqual({ target: "a", depth: 3 });
  });

  test.each<[Record<string, unknown>, string, string]>([
    [{}, 'Missing "target"', "Missing <target>"],
    [{ target: "" }, '"target" must not be empty', "<target> must not be empty"],
    [{ target: 5 }, '"target" takes text, not 5', "<target> takes text, not 5"],
    [{ target: null }, '"target" takes text, not null', "<target> takes text, not null"],
    [{ target: "a", newTab: "x" }, '"newTab" takes true or false, not "x"', '--new-tab takes true or false, not "x"'],
    [
      { target: "a", wait: "idle" },
      '"wait" takes "load" or "dom", not "idle"',
      '--wait takes "load" or "dom", not "idle"',
    ],
    [{ target: "a", depth: 0 }, '"depth" must be at least 1, not 0', "--depth must be at least 1, not 0"],
    [{ target: "a", depth: 1.5 }, '"depth" takes a whole number, not 1.5', "--depth takes a whole number, not 1.5"],
    [{ target: "a", list: "b" }, '"list" takes a list, not "b"', '--list takes a list, not "b"'],
    [
      { target: "a", newTab: true, depth: 1 },
      "NewTab and depth exclude one another",
      "NewTab and depth exclude one another",
    ],
  ])("%j are refused in the caller's notation", (raw, asParams, asArgv) => {
    expect(problem(raw).message).toBe(asParams);
    expect(problem(raw, "argv").message).toBe(asArgv);
    expect(problem(raw).kind).toBe("invalid_params");
  });

  test("of an unknown name are told which there are", () => {
    const { message, details } = problem({ target: "a", newtab: true });
    expect(message).toContain('Unknown parameter "newtab" (did you mean "newTab"?)');
    for (const name of ["target", "newTab", "depth", "wait"]) expect(message).toContain(`"${name}"`);
    expect(details).toMatchObject({ param: "newtab", command: "sample" });
  });

  test.each([
    [[{ run: "a", weight: 1 }], 'Unknown member "weight" in "steps"; it accepts "run", "wait"'],
    [[{ run: "a" }, { wait: 1 }], 'Missing "run" in "steps"'],
    [[{ run: 1 }], '"run" in "steps" takes text, not 1'],
  ])("within others, such as %j, are named too", (steps, message) => {
    expect(problem({ target: "a", steps }).message).toBe(message);
  });

  test.each(["__proto__", "constructor", "toString"])("called %s are unknown too", (name) => {
    const raw = JSON.parse(`{"target":"a","${name}":1}`);
    expect(problem(raw).message).toContain(`Unknown parameter "${name}"`);
  });

  test("that are sensitive are not repeated in the error", () => {
    const { message } = problem({ target: "a", password: "hunter2" });
    expect(message).toContain('"password"');
    expect(message).not.toContain("hunter2");
    expect(problem({ target: "a", password: 12345 }).message).not.toContain("12345");
  });
});
