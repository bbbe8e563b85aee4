/** Every campaign by name. Loaded when it is asked for: what one needs is not there everywhere. */
import type { Campaign } from "./arena.ts";

const CAMPAIGNS = {
  agents: async () => (await import("./agents/agents.ts")).agents,
  fuzz: async () => (await import("./fuzz/fuzz.ts")).fuzz,
  kills: async () => (await import("./kills/kills.ts")).kills,
  state: async () => (await import("./state/state.ts")).state,
  storms: async () => (await import("./storms/storms.ts")).storms,
  truth: async () => (await import("./truth/truth.ts")).truth,
} satisfies Record<string, () => Promise<Campaign>>;

export type CampaignName = keyof typeof CAMPAIGNS;

export const CAMPAIGN_NAMES = Object.keys(CAMPAIGNS) as CampaignName[];

export async function campaignNamed(name: CampaignName): Promise<Campaign> {
  return await CAMPAIGNS[name]();
}
