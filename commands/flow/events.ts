import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../duration.ts";

/** What is asked for by nobody in particular: what the page says and does, and what is done to it. */
const DEFAULT_TOPICS = ["console", "network", "dialog", "download", "page", "activity"];
const DAY_MS = 86_400_000;
/** As other lists of what happened show; what is kept may be megabytes. */
const HISTORY_EVENTS = 50;

export default defineCommand({
  name: "events",
  category: "flow",
  summary: "Follow what happens, as it happens",
  description:
    "One line an event, until Ctrl-C: time, tab, topic and what it was; with --json one object a line. " +
    "Topics are console, network, dialog, download, page, activity, refs, security, daemon and inspect; the first six " +
    "when none is named. A line says when events were lost. Programs subscribe with `events.subscribe` instead.",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "page",
  fromPage: "steps",
  timeoutMs: DAY_MS,
  params: v.strictObject({
    topics: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.maxLength(64, "has too many items"),
        v.description("Topics to follow; all that are yours when absent"),
      ),
    ),
    filter: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description("Only events with tab=t1, session=…, level=error, url=*glob*, type=fetch, command=…, status=400"),
      ),
    ),
    since: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description("First all that is still kept after this number; 0: all"),
      ),
    ),
    history: v.exactOptional(
      v.pipe(v.boolean(), v.description(`First the newest ${HISTORY_EVENTS} that are still kept`)),
    ),
    for: v.exactOptional(
      v.pipe(v.string(), v.description("How long to follow: 500ms, 10s, 5m (default: without end)")),
    ),
  }),
  cli: { rest: "topics" },
  result: v.strictObject({
    ended: v.pipe(v.picklist(["time is over", "the daemon has ended"]), v.description("Why there are no more events")),
  }),
  examples: [
    "browse events console network --history --for 300ms",
    "browse events page --filter tab=t1 --since 0 --for 300ms",
  ],
  async run({ follow, log }, { topics = [], filter = [], since, history, for: duration }) {
    if (!follow) {
      throw new BrowseError("unsupported", "Events can be followed by a command line of their own only", {
        hint: "Run `browse events` by itself, outside of chain and batch; programs call `events.subscribe` or `events.history`",
      });
    }
    const onOlder = (count: number) => log("warning", `${count} older events are kept: --since 0 shows them first`);
    const kept = since === undefined ? history && { since: 0, newest: HISTORY_EVENTS, onOlder } : { since };
    const ended = await follow({
      topics: topics.length > 0 ? topics : DEFAULT_TOPICS,
      ...(filter.length > 0 && { filter: parseFilter(filter) }),
      ...kept,
      ...(duration !== undefined && { durationMs: parseDuration("--for", duration, { max: DAY_MS }) }),
    });
    if (ended === "the daemon has ended") log("warning", "There are no more events: the daemon has ended");
    return { ended };
  },
  render: () => "",
});

const TEXT_FILTERS = ["tab", "session", "level", "url", "type", "command"] as const;

function parseFilter(words: readonly string[]): Record<string, string | number> {
  return Object.fromEntries(words.map(parseWord));
}

function parseWord(word: string): [string, string | number] {
  const at = word.indexOf("=");
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  if (at > 0 && value !== "") {
    if (TEXT_FILTERS.some((known) => known === name)) return [name, value];
    if (name === "status" && /^\d{3}$/.test(value)) return [name, Number(value)];
  }
  throw new BrowseError("invalid_params", `Cannot filter by "${word}"`, {
    hint: `Use ${[...TEXT_FILTERS, "status"].map((known) => `${known}=…`).join(", ")}; status is the smallest of three digits`,
    details: { flag: "--filter" },
  });
}
