import type { BrowserContext } from "playwright";
import type { OpenConnection } from "../../connection.ts";
import { alternate, ratio } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";
import { shownText } from "../../shown_text.ts";

const PAGES = 20;
const ROUNDS = 5;

export const batchPages: Scenario = {
  group: "connection",
  name: `${PAGES} pages: batch of \`newtab\` and \`text\``,
  target: "≤ 0.5 × serial, ≤ 1.15 × the bare driver",
  async run(context) {
    const url = context.pages.url("links");
    using connection = await (await context.project()).connect();
    const browser = await context.browser();
    const driver = await browser.newContext();
    const closeOurs = async () => await closeExtraTabs(connection);
    const { batch, serial, raw } = await alternate(
      {
        batch: { step: async () => await inBatches(connection, url), after: closeOurs },
        serial: { step: async () => await oneByOne(connection, url), after: closeOurs },
        raw: { step: async () => await byDriver(driver, url), after: async () => await closePages(driver) },
      },
      { runs: ROUNDS, warmUp: 1 },
    );
    await driver.close();
    return [
      batch.figure("browse, two batches"),
      serial.figure("browse, one by one"),
      raw.figure("driver, all at once"),
      ratio("batch ÷ serial", batch, serial, { atMost: 0.5 }),
      ratio("batch ÷ driver", batch, raw, { atMost: 1.15 }),
    ];
  },
};

async function inBatches(connection: OpenConnection, url: string): Promise<void> {
  const opened = await connection.batch(Array.from({ length: PAGES }, () => ({ method: "newtab", params: { url } })));
  await connection.batch(opened.map(({ id }) => ({ method: "text", params: { tab: id } })));
}

async function oneByOne(connection: OpenConnection, url: string): Promise<void> {
  for (let page = 0; page < PAGES; page++) {
    const { id } = await connection.call("newtab", { url });
    await connection.call("text", { tab: id });
  }
}

async function byDriver(context: BrowserContext, url: string): Promise<void> {
  await Promise.all(
    Array.from({ length: PAGES }, async () => {
      const page = await context.newPage();
      await page.goto(url, { waitUntil: "domcontentloaded" });
      await shownText(page);
    }),
  );
}

async function closeExtraTabs(connection: OpenConnection): Promise<void> {
  const { tabs } = await connection.call("tabs");
  for (const { id } of (tabs as { id: string }[]).slice(1)) await connection.call("closetab", { id });
}

async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map(async (page) => await page.close()));
}
