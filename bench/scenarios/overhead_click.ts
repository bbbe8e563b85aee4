import { overheadScenario } from "../overhead.ts";

export const overheadClick = overheadScenario(
  {
    page: "form",
    command: "click",
    params: { target: "#count" },
    driver: async (page) => await page.locator("#count").click(),
  },
  "locator.click()",
);
