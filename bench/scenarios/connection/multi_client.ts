import type { Page } from "playwright";
import type { OpenConnection } from "../../connection.ts";
import { Samples, timed } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";
import { shownText } from "../../shown_text.ts";

const CLIENTS = 10;
const CALLS = 20;
const ROUNDS = 5;

/** One client's work, from its first call to its last. */
type Work = () => Promise<void>;

export const multiClient: Scenario = {
  group: "connection",
  name: `${CLIENTS} connections on ${CLIENTS} tabs, \`text\` of 1,000 elements`,
  target: "≥ 5 × one connection where the bare driver allows it",
  async run(context) {
    const url = context.pages.url("elements");
    const project = await context.project();
    const connections = await Promise.all(Array.from({ length: CLIENTS }, async () => await project.connect()));
    const tabs = await Promise.all(
      connections.map(async (connection) => ({ connection, tab: (await connection.call("newtab", { url })).id })),
    );
    const driver = await (await context.browser()).newContext();
    const pages = await Promise.all(Array.from({ length: CLIENTS }, async () => await driver.newPage()));
    await Promise.all(pages.map(async (page) => await page.goto(url)));

    const ours = await gain(
      tabs.map(
        ({ connection, tab }) =>
          async () =>
            await readText(connection, tab),
      ),
    );
    const drivers = await gain(pages.map((page) => async () => await readShownText(page)));

    for (const { connection, tab } of tabs) await connection.call("closetab", { id: tab });
    for (const connection of connections) connection[Symbol.dispose]();
    await driver.close();
    return [
      ours.one.figure("browse, 1 connection", { unit: "calls/s" }),
      ours.all.figure(`browse, ${CLIENTS} connections`, { unit: "calls/s" }),
      { name: "browse, gain", unit: "×", value: ours.gain, limit: { atLeast: Math.min(5, drivers.gain) } },
      { name: "bare driver, gain", unit: "×", value: drivers.gain },
    ];
  },
};

/** Calls a second by one client and by all at once, and how many times the one the other is. */
async function gain(works: readonly Work[]): Promise<{ one: Samples; all: Samples; gain: number }> {
  const one: number[] = [];
  const all: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const oneMs = await timed(async () => await works[0]?.());
    const allMs = await timed(async () => await Promise.all(works.map(async (work) => await work())));
    if (round < 0) continue;
    one.push((CALLS / oneMs) * 1_000);
    all.push(((CALLS * works.length) / allMs) * 1_000);
  }
  const [single, together] = [new Samples(one), new Samples(all)];
  return { one: single, all: together, gain: together.median / single.median };
}

async function readText(connection: OpenConnection, tab: unknown): Promise<void> {
  for (let call = 0; call < CALLS; call++) await connection.call("text", { tab });
}

async function readShownText(page: Page): Promise<void> {
  for (let call = 0; call < CALLS; call++) await shownText(page);
}
