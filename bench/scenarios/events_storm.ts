import { setTimeout as pause } from "node:timers/promises";
import type { BenchContext } from "../context.ts";
import { EventReader, type Reading } from "../event_reader.ts";
import type { BenchProject } from "../project.ts";
import { Samples, timed } from "../samples.ts";
import type { Figure, Scenario } from "../scenario.ts";
import { commandDelays } from "../status_probe.ts";

const LINES = 100_000;
const RUNS = 2;
const QUIET_MS = 4_000;
const SETTLE_MS = 8_000;
/** Who leaves two pings unanswered, 25 s apart, is taken for dead and dropped. */
const STALL_MS = 20_000;

interface Storm {
  /** As the page counted it. */
  pageMs: number;
  delays: Samples;
  fast: Reading;
}

export const eventsStorm: Scenario = {
  group: "events",
  name: `${LINES.toLocaleString("en")} console lines as fast as a page can log, three subscribers`,
  target: "none lost without a gap; page slowed ≤ 5 %; command p99 ≤ 3 × quiet; memory back within 10 %",
  async run(context) {
    await using project = context.freshProject();
    await project.cli("goto", context.pages.url("console"));
    using connection = await project.connect();
    // Another tab than the one that is busy: a page in a loop answers nobody.
    const { id: tab } = await connection.call("newtab", { url: context.pages.url("form") });
    const quiet = new Samples(await commandDelays(project.daemon, { tab }, async () => await pause(QUIET_MS)));
    await pause(SETTLE_MS);
    const before = project.daemonMegabytes;

    await using slow = await EventReader.open({ daemon: project.daemon, stallMs: STALL_MS });
    await using filtered = await EventReader.open({ daemon: project.daemon, filter: { level: "error" } });
    const first = await storm(project, String(tab));
    const bare: BareStorm[] = [];
    const own: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      bare.push(await bareStorm(context));
      own.push((await storm(project, String(tab))).pageMs);
    }
    const slowed = await slow.upTo(await newest(project));
    const nothing = await readNothing(project, filtered);
    await pause(SETTLE_MS);
    return [
      { name: "fast subscriber: events it has", unit: "events", value: first.fast.events, limit: { atLeast: LINES } },
      {
        name: "fast subscriber: unaccounted for",
        unit: "events",
        value: first.fast.missing + first.fast.dropped,
        limit: { atMost: 0 },
      },
      { name: "fast subscriber: latency p99", unit: "ms", value: first.fast.p99Ms, limit: { atMost: 50 } },
      { name: "slow subscriber: lost, each in a gap", unit: "events", value: slowed.dropped },
      { name: "slow subscriber: unaccounted for", unit: "events", value: slowed.missing, limit: { atMost: 0 } },
      {
        name: "filtered subscriber: lines that it did not ask for",
        unit: "events",
        value: nothing.events - 1,
        limit: { atMost: 0 },
      },
      ...pageFigures(new Samples(own), new Samples(bare.map(({ pageMs }) => pageMs))),
      ...commandFigures(quiet, first.delays),
      ...bareFigures(new Samples(bare.flatMap(({ delays }) => delays))),
      { name: "daemon before", unit: "MB", value: before },
      { name: "daemon afterwards", unit: "MB", value: project.daemonMegabytes },
      { name: "afterwards ÷ before", unit: "×", value: project.daemonMegabytes / before, limit: { atMost: 1.1 } },
    ];
  },
};

function pageFigures(own: Samples, bare: Samples): Figure[] {
  return [
    own.figure("page, captured"),
    bare.figure("page, bare driver"),
    { name: "captured ÷ bare", unit: "×", value: own.median / bare.median, limit: { atMost: 1.05 } },
  ];
}

function commandFigures(quiet: Samples, busy: Samples): Figure[] {
  return [
    quiet.figure("`text` of another tab, quiet"),
    { name: "its p99", unit: "ms", value: quiet.quantile(0.99) },
    busy.figure("`text` of another tab, in the storm"),
    { name: "its p99", unit: "ms", value: busy.quantile(0.99) },
    {
      name: "p99 in the storm ÷ quiet",
      unit: "×",
      value: busy.quantile(0.99) / quiet.quantile(0.99),
      limit: { atMost: 3 },
    },
  ];
}

/** What the driver's one pipe costs by itself: answers queue behind the lines. */
function bareFigures(busy: Samples): Figure[] {
  return [
    busy.figure("`innerText` by the bare driver, in the storm"),
    { name: "its p99", unit: "ms", value: busy.quantile(0.99) },
  ];
}

async function storm(project: BenchProject, probed: string): Promise<Storm> {
  await using reader = await EventReader.open({ daemon: project.daemon });
  using connection = await project.connect();
  const from = await newest(project);
  let pageMs = 0;
  let fast: Reading | undefined;
  const delays = await commandDelays(project.daemon, { tab: probed }, async () => {
    const { value } = await connection.call("js", { code: `storm(${LINES})`, tab: "t1", timeoutMs: 120_000 });
    pageMs = Number(value);
    fast = await reader.upTo(from + LINES);
  });
  if (!fast) throw new Error("The storm was not read");
  return { pageMs, delays: new Samples(delays), fast };
}

interface BareStorm {
  pageMs: number;
  /** Of reads of another page meanwhile. */
  delays: number[];
}

/** The same page and driver, with nobody listening. */
async function bareStorm(context: BenchContext): Promise<BareStorm> {
  const browser = await context.browser();
  const [page, other] = [await browser.newPage(), await browser.newPage()];
  try {
    await page.goto(context.pages.url("console"));
    await other.goto(context.pages.url("form"));
    const delays: number[] = [];
    let isOver = false;
    const storming = page.evaluate<number>(`storm(${LINES})`).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      delays.push(await timed(async () => await other.innerText("main")));
      await pause(1);
    }
    return { pageMs: await storming, delays };
  } finally {
    await page.close();
    await other.close();
  }
}

/** Number of the newest console event. */
async function newest(project: BenchProject): Promise<number> {
  using connection = await project.connect();
  const { cursor } = await connection.call("events.history", { topics: ["console"], limit: 1 });
  return (cursor as { console: number }).console;
}

/** One line that the filter lets through tells that all before it has been kept back. */
async function readNothing(project: BenchProject, filtered: EventReader): Promise<Reading> {
  using connection = await project.connect();
  await connection.call("js", { code: "console.error('the end')", tab: "t1" });
  return await filtered.upTo(await newest(project));
}
