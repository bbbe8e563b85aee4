/** One command of ours, run as a process of its own in turn with the same thing by each peer. */
import type { BenchContext } from "./context.ts";
import type { Peer } from "./peers/peer.ts";
import { alternate, type Samples, type Step } from "./samples.ts";
import type { Figure } from "./scenario.ts";

/** Runs one of our clients. */
type Cli = (...argv: string[]) => Promise<string>;

export interface CliRow {
  ours(cli: Cli): Promise<unknown>;
  /** Gets ready, outside of what is measured, and gives the step. */
  theirs(peer: Peer): Promise<Step>;
}

/** Where the native client is built. */
export const NATIVE = "browse, native";

/** What our median may be as a share of a peer's, by the peer's name. */
export type PeerShares = Readonly<Record<string, number>>;

export async function measureBesidePeers(
  context: BenchContext,
  { ours, theirs }: CliRow,
  shares: PeerShares,
  nativeShares: PeerShares = {},
): Promise<Figure[]> {
  const { cli, native } = await context.project();
  const steps: Record<string, Step> = {
    browse: async () => await ours(cli),
    ...(native && { [NATIVE]: async () => await ours(native) }),
  };
  for (const peer of await context.peers()) steps[peer.name] = await theirs(peer);
  const samples = await alternate(steps, { runs: context.runs });
  const { browse, [NATIVE]: byNative, ...others } = samples as { browse: Samples } & Record<string, Samples>;
  return [
    browse.figure("browse"),
    ...(byNative ? [byNative.figure(NATIVE)] : []),
    ...Object.entries(others).flatMap(([name, other]) => [
      other.figure(name),
      besides("browse", browse, name, other, shares),
      ...(byNative ? [besides(NATIVE, byNative, name, other, nativeShares)] : []),
    ]),
  ];
}

function besides(own: string, ours: Samples, name: string, other: Samples, shares: PeerShares): Figure {
  const share = shares[name];
  const value = ours.median / other.median;
  return { name: `${own} ÷ ${name}`, unit: "×", value, ...(share === undefined ? {} : { limit: { atMost: share } }) };
}
