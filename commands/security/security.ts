import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { TunnelSchema, tunnelText } from "./_tunnel_shape.ts";

const DenialSchema = v.strictObject({
  time: v.string(),
  reason: v.pipe(v.string(), v.description("The kind of error, what was wrong at the door, or throttled")),
  command: v.exactOptional(v.pipe(v.string(), v.description("unknown for what is no command"))),
  source: v.exactOptional(v.pipe(v.string(), v.description("Salted hash: equal for the same source"))),
  dropped: v.exactOptional(v.pipe(v.number(), v.description("How many came too fast to be written"))),
});

const DEFAULT_LAST = 50;
const MAX_LAST = 10_000;
/** Enough of a hash to tell sources apart by eye. */
const SHOWN_HASH = 12;

export default defineCommand({
  name: "security",
  category: "security",
  summary: "Show the security status, or the log of refused calls",
  description:
    "The log is the user's own, of all projects: ~/.browse/security/attempts.jsonl. It holds no address and nothing of " +
    "what was sent.",
  scope: "read",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  params: v.strictObject({
    action: v.picklist(["status", "log"]),
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
  cli: { positional: ["action"] },
  raises: [{ param: "action", equals: "log", scope: "control", effect: "none" }],
  result: v.strictObject({
    tunnel: v.exactOptional(TunnelSchema),
    agents: v.exactOptional(v.pipe(v.number(), v.description("How many are paired"))),
    refused: v.exactOptional(v.pipe(v.number(), v.description("Since the daemon started"))),
    denials: v.exactOptional(v.array(DenialSchema)),
  }),
  examples: ["browse security status", "browse security log --last 5"],
  run({ daemon: { remote } }, { action, last = DEFAULT_LAST }) {
    if (action === "log") return { denials: remote.denials(last) };
    return { tunnel: remote.tunnel(), agents: remote.agents().length, refused: remote.denialCount };
  },
  render({ tunnel, agents, refused, denials }) {
    if (denials) return denials.length === 0 ? "Nothing was refused" : denials.map(denialText).join("\n");
    return [
      `tunnel   ${tunnel ? tunnelText(tunnel) : ""}`,
      `agents   ${agents} paired`,
      `refused  ${refused} since the daemon started`,
    ].join("\n");
  },
});

function denialText({ time, reason, command, source, dropped }: v.InferOutput<typeof DenialSchema>): string {
  if (dropped !== undefined) return `${time} ${dropped} more came too fast to be written`;
  return `${time} ${reason} ${command} from ${source?.slice(0, SHOWN_HASH)}`;
}
