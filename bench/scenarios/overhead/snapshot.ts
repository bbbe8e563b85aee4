import { overheadScenario } from "../../overhead.ts";

export const overheadSnapshot = overheadScenario(
  { page: "links", command: "snapshot", driver: async (page) => await page.ariaSnapshotJSON({ mode: "ai" }) },
  "page.ariaSnapshotJSON()",
);
