import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { durationMs } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { Before, beforeLines, Last, MOST, newestOf } from "../newest.ts";

const EntrySchema = v.strictObject({
  id: v.exactOptional(v.pipe(v.string(), v.description("Of the call"))),
  parent: v.exactOptional(v.pipe(v.string(), v.description("The call that this one was a step of"))),
  time: v.string(),
  command: v.string(),
  params: v.pipe(v.unknown(), v.description("As they were given, secrets redacted")),
  client: v.string(),
  by: v.exactOptional(v.pipe(v.string(), v.description("Whose token it was"))),
  session: v.exactOptional(v.string()),
  tab: v.exactOptional(v.string()),
  page: v.exactOptional(v.pipe(v.string(), v.description("What its tab showed at its end"))),
  outcome: v.pipe(v.string(), v.description('"ok", or the kind of the error')),
  refused: v.exactOptional(v.pipe(v.string(), v.description("Why it never ran"))),
  ms: v.number(),
  effect: v.exactOptional(v.unknown()),
  elements: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          ref: v.string(),
          role: v.string(),
          name: v.string(),
          locators: v.pipe(
            v.array(v.string()),
            v.description("Selectors that were true of it, the most lasting first"),
          ),
          words: v.exactOptional(
            v.pipe(v.array(v.string()), v.description("Words of its name that no other of its role had in its own")),
          ),
          frame: v.exactOptional(v.string()),
        }),
      ),
      v.description("What an action was done to, or a read looked at"),
    ),
  ),
  result: v.exactOptional(
    v.pipe(
      v.strictObject({ shape: v.string(), digest: v.string() }),
      v.description("What it answered was like: types and lengths; one digest means one answer"),
    ),
  ),
  from: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ param: v.string(), call: v.string(), path: v.string() })),
      v.description("Params whose values an earlier call had answered, and where in its result"),
    ),
  ),
  hidden: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ param: v.string(), digest: v.exactOptional(v.string()) })),
      v.description("Params that are not shown; one digest means one value"),
    ),
  ),
});

const MAX_AGE_MS = 365 * 86_400_000;

export default defineCommand({
  name: "journal",
  category: "flow",
  summary: "Show the record of calls, secrets redacted",
  scope: "meta",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  // What a page's dialog said, and where it led to, is in it.
  output: "page",
  fromPage: "whole",
  isLog: true,
  params: v.strictObject({
    since: v.exactOptional(v.pipe(v.string(), v.description("How long ago (10m, 2h, 1d), or a date and time"))),
    session: v.exactOptional(
      v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("Calls on this session only")),
    ),
    last: Last,
  }),
  result: v.strictObject({ entries: v.array(EntrySchema), before: Before }),
  examples: ["browse journal", "browse journal --since 10m --last 5"],
  async run({ daemon }, { since, session, last }) {
    const query = { ...(since !== undefined && { since: timeFrom(since) }), ...(session !== undefined && { session }) };
    const { shown, ...before } = newestOf(await daemon.journal({ ...query, limit: MOST }), last);
    return { entries: shown, ...before };
  },
  render({ entries, before }) {
    if (entries.length === 0) return "No calls";
    return [...beforeLines(before, "browse journal", entries.length), ...entries.map(entryText)].join("\n");
  },
});

function timeFrom(since: string): string {
  const ago = durationMs(since);
  const date = ago <= MAX_AGE_MS ? Date.now() - ago : Date.parse(since);
  if (Number.isFinite(date) && (ago <= MAX_AGE_MS || /^\d{4}-/.test(since))) return new Date(date).toISOString();
  throw new BrowseError(
    "invalid_params",
    `--since takes how long ago (10m, 2h, up to 365d) or a date such as 2030-01-31T12:00Z, not ${JSON.stringify(since)}`,
    {
      details: { flag: "--since" },
    },
  );
}

function entryText(entry: v.InferOutput<typeof EntrySchema>): string {
  const { id = "-", time, command, params, tab, session, outcome, ms, elements = [] } = entry;
  const where = tab ?? session ?? "-";
  const given = JSON.stringify(params);
  const on = elements.map(({ role, name, locators }) => `\n  ${role} ${JSON.stringify(name)}: ${locators.join(" | ")}`);
  return `${id} ${time} ${where} ${command} ${outcome} ${ms} ms${given === "{}" ? "" : ` ${given}`}${on.join("")}`;
}
