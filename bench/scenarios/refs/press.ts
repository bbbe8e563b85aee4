import type { Page } from "playwright";
import { besideDriver } from "../../beside_driver.ts";
import type { OpenConnection } from "../../connection.ts";
import type { PageName } from "../../pages/mod.ts";
import { ratio } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

interface Press {
  what: string;
  page: PageName;
  button: string;
  driver(page: Page): Promise<void>;
}

const PRESSES: readonly Press[] = [
  {
    what: "form",
    page: "form",
    button: "Count",
    driver: async (page) => await page.getByRole("button", { name: "Count" }).click(),
  },
  {
    what: "10,000 elements",
    page: "app",
    button: "Archive 7",
    driver: async (page) => await page.getByRole("button", { name: "Archive 7", exact: true }).click(),
  },
  {
    what: "five frames deep",
    page: "iframes",
    button: "Press 0",
    driver: async (page) => await page.frames().at(-1)!.getByRole("button", { name: "Press 0" }).click(),
  },
];

export const refsPress: Scenario = {
  group: "refs",
  name: "Open connection: `click` by ref beside the driver's click",
  target: "no slower than the driver",
  async run(context) {
    const figures = [];
    for (const { what, page, button, driver } of PRESSES) {
      const samples = await besideDriver(context, {
        page,
        prepare: async (connection) => ({ target: await refOf(connection, button) }),
        command: "click",
        driver,
        runs: context.runs,
      });
      figures.push(
        samples.command.figure(`browse, ${what}`),
        samples.driver.figure(`driver, ${what}`),
        ratio(`browse ÷ driver, ${what}`, samples.command, samples.driver, { atMost: 1 }),
      );
    }
    return figures;
  },
};

async function refOf(connection: OpenConnection, button: string): Promise<string> {
  const { nodes } = await connection.call("snapshot", { interactive: true });
  const found = (nodes as { ref?: string; role: string; name: string }[]).find(
    ({ role, name }) => role === "button" && name === button,
  );
  if (!found?.ref) throw new Error(`No button named "${button}" in the snapshot`);
  return found.ref;
}
