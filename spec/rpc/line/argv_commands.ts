/** Commands with every kind of param that a command line has words for. */
import * as v from "valibot";
import { type Command, defineCommand, findCommand } from "../../../commands/command.ts";

function define(name: string, params: v.ObjectEntries, cli: Command["cli"] = {}, aliases: string[] = []): Command {
  defineCommand({
    name,
    aliases,
    category: "read",
    summary: "Test",
    scope: "read",
    effect: "none",
    needs: "daemon",
    output: "plain",
    fromPage: "nothing",
    params: v.strictObject(params),
    cli,
    result: v.strictObject({}),
    examples: [],
    run: () => ({}),
    render: () => "",
  });
  return findCommand(name)!;
}

const Whole = v.pipe(v.number(), v.integer());
export const click = define(
  "click",
  {
    target: v.string(),
    double: v.optional(v.boolean()),
    newTab: v.optional(v.boolean()),
    hand: v.optional(v.picklist(["left", "right"])),
    modifiers: v.optional(v.array(v.picklist(["Alt", "Shift"]))),
  },
  { positional: ["target"] },
  ["press-on"],
);
define(
  "look",
  {
    interactive: v.optional(v.boolean()),
    compact: v.optional(v.boolean()),
    depth: v.optional(Whole),
    scale: v.optional(v.number()),
  },
  { short: { interactive: "i", compact: "c", depth: "d" } },
);
export const fill = define(
  "fill",
  { target: v.string(), value: v.string() },
  { positional: ["target", "value"], stdin: "value" },
);
define("type", { text: v.string() }, { rest: "text", stdin: "text" });
define("pick", { target: v.string(), values: v.array(v.string()) }, { positional: ["target"], rest: "values" });
define("each", { words: v.array(v.string()) }, { rest: "words", raw: true });
define("again", { headed: v.optional(v.boolean()), proxy: v.optional(v.string()) });
define("shelf", { inSession: v.optional(v.boolean()) }, { flags: { inSession: "session" } });
define(
  "mixed",
  {
    at: v.optional(v.union([v.number(), v.picklist(["top", "bottom"])])),
    mark: v.optional(v.union([v.boolean(), v.string()])),
    fields: v.optional(v.record(v.string(), v.string())),
    only: v.optional(v.literal("this")),
    note: v.nullish(v.string()),
  },
  {},
);
