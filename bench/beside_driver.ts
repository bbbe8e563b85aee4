/** A command over an open connection in turn with the driver's own call, on the same page in two like browsers. */
import type { Page } from "playwright";
import type { OpenConnection } from "./connection.ts";
import type { BenchContext } from "./context.ts";
import type { PageName } from "./pages/mod.ts";
import { alternate, type Samples } from "./samples.ts";

export interface DriverRow {
  page: PageName;
  /** Runs before what is measured: gives what the command needs, such as a ref. */
  prepare?(connection: OpenConnection): Promise<Record<string, unknown>>;
  command: string;
  params?: Record<string, unknown>;
  driver(page: Page): Promise<unknown>;
  runs: number;
  warmUp?: number;
}

export async function besideDriver(
  context: BenchContext,
  row: DriverRow,
): Promise<{ command: Samples; driver: Samples }> {
  const url = context.pages.url(row.page);
  using connection = await (await context.project()).connect();
  await connection.call("goto", { url, wait: "load" });
  const params = { ...row.params, ...(await row.prepare?.(connection)) };
  const page = await (await context.browser()).newPage();
  try {
    await page.goto(url);
    return await alternate(
      {
        command: async () => await connection.call(row.command, params),
        driver: async () => await row.driver(page),
      },
      { runs: row.runs, warmUp: row.warmUp ?? 2 },
    );
  } finally {
    await page.close();
  }
}
