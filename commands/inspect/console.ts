import * as v from "valibot";
import { indented } from "../../security/invisible.ts";
import { defineCommand } from "../command.ts";

const EntrySchema = v.strictObject({
  id: v.number(),
  level: v.picklist(["log", "debug", "info", "warning", "error"]),
  text: v.string(),
  arguments: v.exactOptional(v.pipe(v.array(v.string()), v.description("Where there was more than one piece of text"))),
  location: v.exactOptional(v.string()),
  uncaught: v.exactOptional(v.boolean()),
  stack: v.exactOptional(v.string()),
  time: v.string(),
});

export default defineCommand({
  name: "console",
  category: "inspect",
  summary: "Show what the page wrote to its console, and its uncaught errors",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "secret",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({
    errors: v.exactOptional(v.pipe(v.boolean(), v.description("Errors and warnings only"))),
    since: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description("Entries after this id"))),
    clear: v.exactOptional(v.pipe(v.boolean(), v.description("Forget them after showing"))),
  }),
  result: v.strictObject({ entries: v.array(EntrySchema), total: v.number() }),
  examples: ["browse console", "browse console --errors"],
  run({ capture }, { errors, since = 0, clear }) {
    const ring = capture.console;
    const entries = ring
      .since(since)
      .map(({ value }) => value)
      .filter(({ level }) => !errors || level === "error" || level === "warning");
    if (clear) ring.clear();
    return { entries, total: ring.total };
  },
  render({ entries }) {
    if (entries.length === 0) return "The console is empty";
    return entries
      .map(({ id, level, text, location }) => `${id} [${level}] ${indented(text)}${location ? ` (${location})` : ""}`)
      .join("\n");
  },
});
