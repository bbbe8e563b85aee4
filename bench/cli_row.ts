/** One command of ours, run as a process of its own in turn with the same thing by each peer. */
import type { BenchContext } from "./context.ts";
import type { Peer } from "./peers/peer.ts";
import { alternate, type Samples, type Step } from "./samples.ts";
import type { Figure } from "./scenario.ts";

export interface CliRow {
  ours: Step;
  /** Gets ready, outside of what is measured, and gives the step. */
  theirs(peer: Peer): Promise<Step>;
}

/** What our median may be as a share of a peer's, by the peer's name. */
export type PeerShares = Readonly<Record<string, number>>;

export async function measureBesidePeers(
  context: BenchContext,
  { ours, theirs }: CliRow,
  shares: PeerShares,
): Promise<Figure[]> {
  const steps: Record<string, Step> = { browse: ours };
  for (const peer of await context.peers()) steps[peer.name] = await theirs(peer);
  const samples = await alternate(steps, { runs: context.runs });
  const { browse, ...others } = samples as { browse: Samples } & Record<string, Samples>;
  return [
    browse.figure("browse"),
    ...Object.entries(others).flatMap(([name, other]) => [other.figure(name), besides(name, browse, other, shares)]),
  ];
}

function besides(name: string, ours: Samples, other: Samples, shares: PeerShares): Figure {
  const share = shares[name];
  const value = ours.median / other.median;
  return { name: `browse ÷ ${name}`, unit: "×", value, ...(share === undefined ? {} : { limit: { atMost: share } }) };
}
