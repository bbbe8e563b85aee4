import * as v from "valibot";
import type { ConsoleEntry } from "../../browser/capture/console_capture.ts";
import { indented } from "../../security/content/invisible.ts";
import { defineCommand } from "../command.ts";
import { Before, beforeLines, Last, newestOf } from "../newest.ts";
import { caughtUp } from "./_caught_up.ts";

/** Of a stack, in the list: where it was thrown, and how that was come to. `--json` has all of it. */
const STACK_LINES = 5;

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

const ParamsSchema = v.strictObject({
  errors: v.exactOptional(v.pipe(v.boolean(), v.description("Errors only"))),
  warnings: v.exactOptional(v.pipe(v.boolean(), v.description("Errors and warnings only"))),
  all: v.exactOptional(v.pipe(v.boolean(), v.description("Of the pages before this one as well"))),
  since: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.description("Entries after this id, of all pages")),
  ),
  last: Last,
  clear: v.exactOptional(v.pipe(v.boolean(), v.description("Forget them after showing"))),
});

export default defineCommand({
  name: "console",
  category: "inspect",
  summary: "Show what the page wrote to its console, and its uncaught errors",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "secret",
  fromPage: "whole",
  locksTab: false,
  worksInDialog: true,
  isLog: true,
  params: ParamsSchema,
  result: v.strictObject({
    entries: v.array(EntrySchema),
    total: v.pipe(v.number(), v.description("Since the tab was opened")),
    before: Before,
    earlier: v.exactOptional(v.pipe(v.number(), v.description("How many there are of the pages before this one"))),
  }),
  examples: ["browse console", "browse console --errors"],
  async run({ tab, signal, capture }, params) {
    await caughtUp(tab, signal);
    const ring = capture.console;
    const chosen = ring.since(params.since ?? 0).filter(({ value }) => isChosen(value, params));
    const isOfPage = params.all === true || params.since !== undefined;
    const listed = isOfPage ? chosen : chosen.filter(({ seq }) => seq > capture.earlier.console);
    if (params.clear) ring.clear();
    const earlier = chosen.length - listed.length;
    const { shown, ...before } = newestOf(listed, params.last);
    return { entries: shown.map(({ value }) => value), total: ring.total, ...before, ...(earlier > 0 && { earlier }) };
  },
  render({ entries, before, earlier }, { errors, warnings }) {
    const none = warnings ? "No errors or warnings" : errors ? "No errors" : "The console is empty";
    const lines = entries.length === 0 ? [none] : entries.map(entryText);
    const older = beforeLines(before, "browse console", entries.length);
    return [...older, ...lines, ...(earlier ? [`… and ${earlier} of earlier pages: browse console --all`] : [])].join(
      "\n",
    );
  },
});

function isChosen({ level }: ConsoleEntry, { errors, warnings }: v.InferOutput<typeof ParamsSchema>): boolean {
  if (warnings) return level === "error" || level === "warning";
  return !errors || level === "error";
}

/** An error that no script caught has its place in its stack. */
function entryText({ id, level, text, location, uncaught, stack }: ConsoleEntry): string {
  const said = `${id} [${level}] ${uncaught ? "uncaught " : ""}${indented(text)}${location ? ` (${location})` : ""}`;
  const frames = (uncaught ? (stack ?? "") : "").split("\n").filter((line) => /^\s+at /.test(line));
  return [said, ...frames.slice(0, STACK_LINES).map((line) => `    ${line.trim()}`)].join("\n");
}
