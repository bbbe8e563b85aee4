import { besideDriver } from "../../beside_driver.ts";
import { MAX_OVERHEAD_MS, overheadScenario } from "../../overhead.ts";
import type { Scenario } from "../../scenario.ts";

const row = {
  page: "form",
  command: "click",
  params: { target: "#count" },
  driver: async (page) => await page.locator("#count").click(),
} satisfies Parameters<typeof overheadScenario>[0];

/** The button changes the page, which is waited for until it has come to rest: 25 ms that the driver does not wait. */
const settling = overheadScenario(row, "locator.click()");

export const overheadClick: Scenario = {
  ...settling,
  async run(context) {
    const figures = await settling.run(context);
    const params = { ...row.params, noSettle: true };
    const { command, driver } = await besideDriver(context, { ...row, params, runs: context.runs * 2 });
    return [
      ...figures,
      command.figure("browse click, noSettle"),
      command.over(driver).figure("the same over the driver, run by run", { limit: { atMost: MAX_OVERHEAD_MS } }),
    ];
  },
};
