import * as v from "valibot";
import { defineCommand } from "../command.ts";

const DenialSchema = v.strictObject({
  time: v.string(),
  reason: v.pipe(
    v.string(),
    v.description(
      "The kind of error, what was wrong at the door, marker for text of a page that was sent on, or throttled",
    ),
  ),
  command: v.exactOptional(v.pipe(v.string(), v.description("unknown for what is no command"))),
  source: v.exactOptional(v.pipe(v.string(), v.description("Salted hash: equal for the same source"))),
  domain: v.exactOptional(v.pipe(v.string(), v.description("Of the page that the content guard judged"))),
  dropped: v.exactOptional(v.pipe(v.number(), v.description("How many came too fast to be written"))),
});

const DEFAULT_LAST = 50;
const MAX_LAST = 10_000;
/** Enough of a hash to tell sources apart by eye. */
const SHOWN_HASH = 12;

export default defineCommand({
  name: "security.log",
  category: "security",
  summary: "Show the log of refused calls",
  description:
    "The log is the user's own, of all projects: ~/.browse/security/attempts.jsonl. It holds no address and nothing of " +
    "what was sent.",
  scope: "control",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    last: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(MAX_LAST),
        v.description("Show the newest N entries of the log (default 50)"),
      ),
    ),
  }),
  result: v.strictObject({ denials: v.array(DenialSchema) }),
  examples: ["browse security log --last 5"],
  run: ({ daemon: { remote } }, { last = DEFAULT_LAST }) => ({ denials: remote.denials(last) }),
  render: ({ denials }) => (denials.length === 0 ? "Nothing was refused" : denials.map(denialText).join("\n")),
});

function denialText({ time, reason, command, source, domain, dropped }: v.InferOutput<typeof DenialSchema>): string {
  if (dropped !== undefined) return `${time} ${dropped} more came too fast to be written`;
  const page = domain === undefined ? "" : ` on ${domain}`;
  return `${time} ${reason} ${command}${page} from ${source?.slice(0, SHOWN_HASH)}`;
}
