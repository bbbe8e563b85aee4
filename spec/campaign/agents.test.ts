import { expect, it } from "vitest";
import { agents } from "../../campaign/agents/agents.ts";
import { brokenIn } from "./slice.ts";

it("agents learn, reach and write nothing that is not theirs", { timeout: 120_000, retry: 0 }, async () => {
  expect(await brokenIn(agents, 6)).toEqual([]);
});
