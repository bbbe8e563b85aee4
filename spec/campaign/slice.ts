/** A few cases of a campaign, as part of the tests. */
import type { Campaign } from "../../campaign/arena.ts";
import { runCampaign } from "../../campaign/run.ts";

const SEED = 1;

/** What did not hold, one line each. */
export async function brokenIn(campaign: Campaign, cases: number): Promise<string[]> {
  const { failures } = await runCampaign(campaign, { seed: SEED, isSlice: true, cases });
  return failures.map(({ number, name, promise, seen }) => `${number ?? "run"} ${name}: ${promise}: ${seen}`);
}
