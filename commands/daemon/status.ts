import * as v from "valibot";
import { mayWorkIn, ownsTab } from "../../security/tokens/ownership.ts";
import { ClassifierSchema, classifierResult, classifierText } from "../classifier_shape.ts";
import { defineCommand } from "../command.ts";
import type { BaseContext, DaemonStatus } from "../context.ts";

const StatusSchema = v.strictObject({
  pid: v.exactOptional(v.pipe(v.number(), v.description("As all that is optional: what an agent is not told"))),
  version: v.string(),
  protocol: v.string(),
  uptimeMs: v.number(),
  port: v.exactOptional(v.number()),
  stateDir: v.exactOptional(v.string()),
  browser: v.picklist(["none", "starting", "running", "gone"]),
  browserVersion: v.exactOptional(v.string()),
  headed: v.boolean(),
  proxy: v.exactOptional(v.string()),
  isUnwatched: v.exactOptional(
    v.pipe(v.literal(true), v.description("The watchdog is not started any more: the browser may outlive the daemon")),
  ),
  connections: v.exactOptional(v.number()),
  sessions: v.array(v.strictObject({ name: v.string(), tabs: v.number() })),
  memoryBytes: v.exactOptional(v.number()),
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
  events: v.exactOptional(
    v.strictObject({
      subscriptions: v.number(),
      queued: v.pipe(v.number(), v.description("Events that wait for slow readers")),
      dropped: v.pipe(v.number(), v.description("Events that slow readers have lost; each was told how many")),
    }),
  ),
  runningCalls: v.exactOptional(v.number()),
  classifier: v.exactOptional(ClassifierSchema),
  faults: v.exactOptional(
    v.pipe(
      v.strictObject({ count: v.number(), lastAt: v.exactOptional(v.string()) }),
      v.description("Exceptions that nobody caught; daemon.log has them"),
    ),
  ),
});

export default defineCommand({
  name: "status",
  category: "daemon",
  summary: "Show the status of the daemon and its browser",
  scope: "read",
  effect: "none",
  needs: "daemon",
  outsidePolicy: true,
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: StatusSchema,
  examples: ["browse status"],
  run({ daemon, sessions, holder }) {
    const status = daemon.status();
    if (holder.kind !== "root") return ownStatus(status, { daemon, sessions, holder });
    return { ...status, classifier: classifierResult(status.classifier, holder) };
  },
  render(status) {
    const { pid, port, connections, events, memoryBytes, stateDir, faults, classifier } = status;
    const sessions = status.sessions.map(({ name, tabs }) => `${name} (${tabs} ${tabs === 1 ? "tab" : "tabs"})`);
    return [
      `daemon   ${pid === undefined ? "" : `pid ${pid}, port ${port}, `}up ${Math.round(status.uptimeMs / 1_000)} s, version ${status.version}`,
      `browser  ${browserText(status)}`,
      `sessions ${sessions.length === 0 ? "none" : sessions.join(", ")}`,
      ...(connections === undefined ? [] : [`clients  ${connections}`]),
      `calls    ${callsText(status)}`,
      ...(events === undefined ? [] : [`events   ${eventsText(events)}`]),
      ...(memoryBytes === undefined ? [] : [`memory   ${Math.round(memoryBytes / 1_000_000)} MB`]),
      ...(stateDir === undefined ? [] : [`state    ${stateDir}`]),
      ...(classifier === undefined ? [] : [`content  ${classifierText(classifier)}`]),
      ...(faults && faults.count > 0 ? [`faults   ${faults.count}, see daemon.log`] : []),
    ].join("\n");
  },
});

type Status = v.InferOutput<typeof StatusSchema>;

/** Who is not the user is told of its own: its calls, the sessions that it may work in, and the tabs there that are its. */
function ownStatus(
  { version, protocol, uptimeMs, browser, browserVersion, headed }: DaemonStatus,
  { daemon, sessions, holder }: Pick<BaseContext, "daemon" | "sessions" | "holder">,
): Status {
  return {
    version,
    protocol,
    uptimeMs,
    browser,
    ...(browserVersion !== undefined && { browserVersion }),
    headed,
    sessions: sessions.all
      .filter((session) => mayWorkIn(holder, session))
      .map(({ name, tabs }) => ({ name, tabs: tabs.filter((tab) => ownsTab(holder, tab)).length })),
    calls: daemon.callsOf(holder),
  };
}

function browserText({ browser, browserVersion, headed, isUnwatched }: Status): string {
  const watched = isUnwatched ? ", not watched: see `browse doctor`" : "";
  return `${browser}${browserVersion ? ` ${browserVersion}` : ""}, ${headed ? "headed" : "headless"}${watched}`;
}

function callsText({ calls, runningCalls }: Status): string {
  const outcomes = calls.flatMap((call) => Object.entries(call.outcomes));
  const total = outcomes.reduce((sum, [, count]) => sum + count, 0);
  const failed = outcomes.reduce((sum, [outcome, count]) => sum + (outcome === "ok" ? 0 : count), 0);
  return `${total} done, ${failed} failed${runningCalls === undefined ? "" : `; ${runningCalls} running`}`;
}

function eventsText({ subscriptions, queued, dropped }: DaemonStatus["events"]): string {
  return `${subscriptions} ${subscriptions === 1 ? "subscription" : "subscriptions"}, ${queued} waiting, ${dropped} dropped`;
}
