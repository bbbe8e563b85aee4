import type { BrowserContext } from "playwright";
import type { OpenConnection } from "../../connection.ts";
import { type LinkedSite, serveLinkedSite } from "../../pages/linked_site.ts";
import { alternate } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const PAGES = 500;
const CONCURRENCY = 8;
const ROUNDS = 3;

/** Both visit every page once, by links, in as many tabs, and read each one's title and links. */
export const skillCrawl: Scenario = {
  group: "skills",
  name: `\`crawl\` of ${PAGES} pages, ${CONCURRENCY} at a time`,
  target: "≥ 0.8 × the bare driver's pages a second",
  async run(context) {
    await using site = await serveLinkedSite(PAGES);
    using connection = await (await context.project()).connect();
    const browser = await context.browser();
    const driver = await browser.newContext();
    try {
      const { ours, raw } = await alternate(
        {
          ours: async () => await bySkill(connection, site),
          raw: { step: async () => await byDriver(driver, site), after: async () => await closePages(driver) },
        },
        { runs: ROUNDS, warmUp: 1 },
      );
      return [
        ours.figure("browse"),
        raw.figure("driver"),
        {
          name: "browse ÷ driver, pages a second",
          unit: "×",
          value: raw.median / ours.median,
          limit: { atLeast: 0.8 },
        },
      ];
    } finally {
      await driver.close();
    }
  },
};

async function bySkill(connection: OpenConnection, { url, pages }: LinkedSite): Promise<void> {
  const arg = [`url=${url}`, `max=${pages}`, `concurrency=${CONCURRENCY}`, "from=links"];
  const { value } = await connection.call("skill.run", { name: "crawl", arg });
  assertAll((value as { pages: unknown[] }).pages.length, pages);
}

async function byDriver(context: BrowserContext, { url, pages }: LinkedSite): Promise<void> {
  const known = new Set([url]);
  const waiting = [url];
  let [done, working] = [0, 0];
  let news = Promise.withResolvers<void>();
  const lane = async () => {
    const page = await context.newPage();
    while (waiting.length > 0 || working > 0) {
      const next = waiting.shift();
      if (next === undefined) {
        await news.promise;
        continue;
      }
      working++;
      await page.goto(next, { waitUntil: "domcontentloaded" });
      await page.title();
      for (const link of await page.$$eval("a[href]", (links) =>
        links.map((each) => (each as HTMLAnchorElement).href),
      )) {
        if (!known.has(link)) waiting.push(link);
        known.add(link);
      }
      done++;
      working--;
      news.resolve();
      news = Promise.withResolvers();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  assertAll(done, pages);
}

function assertAll(done: number, pages: number): void {
  if (done !== pages) throw new Error(`${done} of ${pages} pages were visited`);
}

async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map(async (page) => await page.close()));
}
