import * as v from "valibot";
import { defineCommand } from "../command.ts";

const StatusSchema = v.strictObject({
  pid: v.number(),
  version: v.string(),
  protocol: v.string(),
  uptimeMs: v.number(),
  port: v.number(),
  stateDir: v.string(),
  browser: v.picklist(["none", "starting", "running", "gone"]),
  browserVersion: v.exactOptional(v.string()),
  headed: v.boolean(),
  proxy: v.exactOptional(v.string()),
  isUnwatched: v.exactOptional(
    v.pipe(v.literal(true), v.description("The watchdog is not started any more: the browser may outlive the daemon")),
  ),
  connections: v.number(),
  sessions: v.array(v.strictObject({ name: v.string(), tabs: v.number() })),
  memoryBytes: v.number(),
  calls: v.pipe(
    v.array(
      v.strictObject({
        command: v.string(),
        outcomes: v.pipe(
          v.record(v.string(), v.number()),
          v.description('Calls by outcome: "ok", or the kind of error'),
        ),
        p50: v.pipe(v.number(), v.description("Milliseconds, of the newest 512 calls")),
        p95: v.number(),
        p99: v.number(),
        max: v.pipe(v.number(), v.description("Milliseconds, of all calls")),
      }),
    ),
    v.description("Since the daemon started"),
  ),
  events: v.strictObject({
    subscriptions: v.number(),
    queued: v.pipe(v.number(), v.description("Events that wait for slow readers")),
    dropped: v.pipe(v.number(), v.description("Events that slow readers have lost; each was told how many")),
  }),
  runningCalls: v.number(),
  faults: v.pipe(
    v.strictObject({ count: v.number(), lastAt: v.exactOptional(v.string()) }),
    v.description("Exceptions that nobody caught; daemon.log has them"),
  ),
});

export default defineCommand({
  name: "status",
  category: "daemon",
  summary: "Tell how the daemon and its browser are",
  scope: "read",
  effect: "none",
  needs: "daemon",
  outsidePolicy: true,
  output: "plain",
  params: v.strictObject({}),
  result: StatusSchema,
  examples: ["browse status"],
  run({ daemon }) {
    return daemon.status();
  },
  render(status) {
    const sessions = status.sessions.map(({ name, tabs }) => `${name} (${tabs} ${tabs === 1 ? "tab" : "tabs"})`);
    return [
      `daemon   pid ${status.pid}, port ${status.port}, up ${Math.round(status.uptimeMs / 1_000)} s, version ${status.version}`,
      `browser  ${status.browser}${status.browserVersion ? ` ${status.browserVersion}` : ""}${status.headed ? ", headed" : ""}${status.isUnwatched ? ", not watched: see `browse doctor`" : ""}`,
      `sessions ${sessions.length === 0 ? "none" : sessions.join(", ")}`,
      `clients  ${status.connections}`,
      `calls    ${callsText(status)}`,
      `events   ${eventsText(status.events)}`,
      `memory   ${Math.round(status.memoryBytes / 1_000_000)} MB`,
      `state    ${status.stateDir}`,
      ...(status.faults.count > 0 ? [`faults   ${status.faults.count}, see daemon.log`] : []),
    ].join("\n");
  },
});

type Status = v.InferOutput<typeof StatusSchema>;

function callsText({ calls, runningCalls }: Status): string {
  const outcomes = calls.flatMap((call) => Object.entries(call.outcomes));
  const total = outcomes.reduce((sum, [, count]) => sum + count, 0);
  const failed = outcomes.reduce((sum, [outcome, count]) => sum + (outcome === "ok" ? 0 : count), 0);
  return `${total} ended, ${failed} of them in failure; ${runningCalls} running`;
}

function eventsText({ subscriptions, queued, dropped }: Status["events"]): string {
  return `${subscriptions} ${subscriptions === 1 ? "subscription" : "subscriptions"}, ${queued} waiting, ${dropped} dropped`;
}
