import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCommand } from "../../../commands/command.ts";
import { BrowseError } from "../../../errors.ts";
import { type ArgvOptions, parseArgv } from "../../../rpc/line/argv.ts";
import { usageOf } from "../../../rpc/line/syntax.ts";
import { click, fill } from "./argv_commands.ts";
import { toArgv } from "./to_argv.ts";

function parse(line: string, options?: ArgvOptions): unknown {
  const { command, params, globals } = parseArgv(line.split(" "), options);
  return [command, params, globals];
}

function refusal(argv: string[], options?: ArgvOptions): BrowseError {
  try {
    parseArgv(argv, options);
  } catch (error) {
    if (error instanceof BrowseError) return error;
    throw error;
  }
  throw new Error(`"${argv.join(" ")}" was not refused`);
}

describe("A command line", () => {
  test.each([
    ["click @e3", { target: "@e3" }],
    ["click @e3 --double", { target: "@e3", double: true }],
    ["click --new-tab @e3", { target: "@e3", newTab: true }],
    ["click @e3 --new-tab=false", { target: "@e3", newTab: false }],
    ["click @e3 --no-new-tab", { target: "@e3", newTab: false }],
    ["click --target=@e3", { target: "@e3" }],
    ["click @e3 --hand right", { target: "@e3", hand: "right" }],
    ["click @e3 --modifiers Alt --modifiers=Shift", { target: "@e3", modifiers: ["Alt", "Shift"] }],
    ["click -- --double", { target: "--double" }],
    ["look", {}],
    ["look -ic", { interactive: true, compact: true }],
    ["look -d 2", { depth: 2 }],
    ["look -d2", { depth: 2 }],
    ["look -icd2", { interactive: true, compact: true, depth: 2 }],
    ["look -d=2 -i=false", { depth: 2, interactive: false }],
    ["look --depth -3", { depth: -3 }],
    ["look --scale -.5", { scale: -0.5 }],
    ["look --scale=1e3", { scale: 1000 }],
    ["fill @e1 -5", { target: "@e1", value: "-5" }],
    ["type hello big  world", { text: "hello big  world" }],
    ["pick @e1 a b c", { target: "@e1", values: ["a", "b", "c"] }],
    ["each click @e1 --double -- x", { words: ["click", "@e1", "--double", "--", "x"] }],
    ["mixed --at 5", { at: 5 }],
    ["mixed --at top", { at: "top" }],
    ["mixed --mark", { mark: true }],
    ["mixed --mark=box", { mark: "box" }],
    ['mixed --fields {"a":"b"}', { fields: { a: "b" } }],
    ["mixed --only this --note x", { only: "this", note: "x" }],
  ])("%s", (line, params) => {
    expect(parse(line)).toEqual([line.split(" ")[0], params, {}]);
  });

  test("may have global flags anywhere", () => {
    const globals = {
      session: "work",
      tab: "t2",
      json: true,
      timeoutMs: 5_000,
      maxChars: 10,
      quiet: true,
      noStart: true,
    };
    expect(parse("--session work --tab t2 click @e1 --json --timeout 5s --max-chars=10 --quiet --no-start")).toEqual([
      "click",
      { target: "@e1" },
      globals,
    ]);
  });

  test.each([
    ["500", 500],
    ["500ms", 500],
    ["5s", 5_000],
    ["1.5s", 1_500],
    ["2m", 120_000],
  ])("takes the timeout %s", (text, timeoutMs) => {
    expect(parseArgv(["look", "--timeout", text]).globals).toEqual({ timeoutMs });
  });

  test("resolves an alias to the command's own name", () => {
    expect(parse("press-on @e1")).toEqual(["click", { target: "@e1" }, {}]);
  });

  test("gives a flag that is both global and the command's own to the command", () => {
    expect(parse("again --headed --proxy http://p")).toEqual(["again", { headed: true, proxy: "http://p" }, {}]);
    expect(parse("--headed again")).toEqual(["again", { headed: true }, {}]);
    expect(parse("--headed look")).toEqual(["look", {}, { headed: true }]);
  });

  test("gives it to the command only after its name when both take other kinds of value", () => {
    expect(parse("shelf --session")).toEqual(["shelf", { inSession: true }, {}]);
    expect(parse("--session work shelf --session")).toEqual(["shelf", { inSession: true }, { session: "work" }]);
    expect(refusal(["shelf", "--session", "work"]).message).toBe('Unexpected argument "work"');
  });

  test("takes a flag before the command's name or after it, not both", () => {
    expect(refusal(["--tab", "t1", "look", "--tab", "t2"])).toMatchObject({ message: "--tab is given twice" });
    expect(refusal(["--headed", "again", "--headed"])).toMatchObject({ details: { flag: "--headed" } });
  });

  test("takes - from standard input only where the command does, and never after --", () => {
    expect(parse("fill @e1 -", { stdin: "piped\n" })).toEqual(["fill", { target: "@e1", value: "piped\n" }, {}]);
    expect(parse("fill @e1 --value -", { stdin: "piped" })).toEqual(["fill", { target: "@e1", value: "piped" }, {}]);
    expect(parse("fill @e1 --value=-", { stdin: "piped" })).toEqual(["fill", { target: "@e1", value: "-" }, {}]);
    expect(parse("type -", { stdin: "piped" })).toEqual(["type", { text: "piped" }, {}]);
    expect(parse("fill -- @e1 -", { stdin: "piped" })).toEqual(["fill", { target: "@e1", value: "-" }, {}]);
    expect(parse("pick @e1 -", { stdin: "piped" })).toEqual(["pick", { target: "@e1", values: ["-"] }, {}]);
  });
});

describe("A wrong command line", () => {
  test.each<[string[], string]>([
    [["click"], "Missing <target>"],
    [["click", "@e1", "@e2"], 'Unexpected argument "@e2"'],
    [["click", "@e1", "--duoble"], 'Unknown flag "--duoble" (did you mean "--double"?)'],
    [["click", "@e1", "--hand"], "--hand needs a value: one of left, right"],
    [["click", "@e1", "--hand", "--json"], "--hand needs a value: one of left, right"],
    [["click", "@e1", "--hand", "middle"], '--hand takes one of left, right, not "middle"'],
    [["click", "@e1", "--hand", "left", "--hand=right"], "--hand is given twice"],
    [["click", "@e1", "--double", "--no-double"], "--double is given twice"],
    [["click", "@e1", "--double=maybe"], '--double takes true or false, not "maybe"'],
    [["click", "@e1", "--no-double=true"], "--no-double takes no value"],
    [["click", "@e1", "--no-button"], 'Unknown flag "--no-button"'],
    [["click", "@e1", "--modifiers", "Ctrl"], '--modifiers takes one of Alt, Shift, not "Ctrl"'],
    [["look", "-x"], 'Unknown flag "-x"'],
    [["look", "-ix"], 'Unknown flag "-x"'],
    [["look", "-d"], "-d needs a value: a whole number"],
    [["look", "--depth", "x"], '--depth takes a whole number, not "x"'],
    [["look", "--depth", "1.5"], '--depth takes a whole number, not "1.5"'],
    [["look", "--depth", "99999999999999999999"], '--depth takes a whole number, not "99999999999999999999"'],
    [["look", "--scale="], '--scale takes a number, not ""'],
    [["look", "--scale", "Infinity"], '--scale takes a number, not "Infinity"'],
    [["mixed", "--fields", "a=b"], '--fields takes JSON, not "a=b"'],
    [["fill", "@e1", "-"], '<value> is "-", but nothing came on standard input'],
    [["look", "--timeout", "soon"], '--timeout takes milliseconds or a time such as 5s, up to 24 h, not "soon"'],
    [["look", "--timeout", "0"], '--timeout takes milliseconds or a time such as 5s, up to 24 h, not "0"'],
    [["look", "--timeout", "5", "--timeout", "6"], "--timeout is given twice"],
    [["look", "--max-chars", "0"], '--max-chars takes a whole number from 1, not "0"'],
    [["look", "--tab", "three"], '--tab takes a tab id such as t3, not "three"'],
    [["--depth", "3", "look"], 'Unknown flag "--depth" before the command\'s name'],
    [["--json"], "No command is named"],
    [[], "No command is named"],
  ])("%j says so", (argv, message) => {
    const error = refusal(argv);
    expect([error.kind, error.exitCode, error.message]).toEqual(["invalid_params", 2, message]);
    expect(error.hint).not.toBe("");
  });

  test("with an unknown flag lists those there are", () => {
    const { hint } = refusal(["click", "@e1", "--wrong"]);
    expect(hint).toBe(
      '"click" accepts --target, --double, --new-tab, --hand, --modifiers; `browse help` lists those of every command',
    );
    expect(refusal(["fill", "@e1", "-x"]).hint).toContain('a value that begins with "-" goes after --');
  });

  test("with an unknown command suggests the nearest", () => {
    expect(refusal(["clik", "@e1"])).toMatchObject({
      kind: "unknown_command",
      exitCode: 2,
      hint: 'Did you mean "click"?',
    });
    expect(refusal(["constructor"]).kind).toBe("unknown_command");
  });

  test("with prototype names for flags is refused like any other", () => {
    for (const name of ["--__proto__", "--constructor", "--to-string"])
      expect(refusal(["look", name, "1"]).kind).toBe("invalid_params");
  });
});

test("Usage shows arguments, flags and which are needed", () => {
  expect(usageOf(click)).toBe(
    "browse click <target> [--double] [--new-tab] [--hand left|right] [--modifiers Alt|Shift…]",
  );
  expect(usageOf(fill)).toBe("browse fill <target> <value>");
});

describe("argv and params are each other's inverse", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const shapes: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
    click: fc.record({
      target: text,
      double: optional(fc.boolean()),
      newTab: optional(fc.boolean()),
      hand: optional(fc.constantFrom("left", "right")),
      modifiers: optional(fc.array(fc.constantFrom("Alt", "Shift"), { minLength: 1, maxLength: 3 })),
    }),
    look: fc.record({
      interactive: optional(fc.boolean()),
      depth: optional(fc.maxSafeInteger().map((value) => value + 0)),
      scale: optional(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    }),
    fill: fc.record({ target: text, value: text }),
    type: fc.record({ text }),
    pick: fc.record({ target: text, values: fc.array(text, { minLength: 1, maxLength: 4 }) }),
    each: fc.record({
      words: fc.array(text, { minLength: 1, maxLength: 4 }).filter((words) => words.join() !== "--help"),
    }),
    mixed: fc.record({
      at: optional(fc.oneof(fc.integer(), fc.constantFrom("top", "bottom"))),
      fields: optional(
        fc.dictionary(
          text.filter((key) => key !== "__proto__"),
          text,
        ),
      ),
    }),
  };

  test.each(Object.keys(shapes))("for %s", (name) => {
    const command = findCommand(name)!;
    fc.assert(
      fc.property(shapes[name]!, (shape) => {
        const params = Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
        expect(parseArgv(toArgv(command, params))).toEqual({ command: name, params, globals: {} });
      }),
      { numRuns: 300 },
    );
  });
});

test("Any words at all give a call or a typed error, never a crash", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "click",
      "look",
      "-i",
      "-d",
      "--depth",
      "--",
      "-",
      "--json",
      "--timeout",
      "=",
      "--=",
      "-=",
      "--no-",
      "@e1",
      "5",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
      try {
        parseArgv(argv, { stdin: "in" });
      } catch (error) {
        expect(error).toBeInstanceOf(BrowseError);
        expect(["invalid_params", "unknown_command"]).toContain((error as BrowseError).kind);
      }
    }),
    { numRuns: 2_000 },
  );
});
