/** One thing done by our two clients and by each peer, every time as a process of its own. */
import { tmpdir } from "node:os";
import type { BenchContext } from "./context.ts";
import { OURS } from "./ours.ts";
import type { PageName } from "./pages/mod.ts";
import type { Syntax } from "./peers/peer.ts";
import { runProcess } from "./run_process.ts";
import { inBlocks, ratio, type Samples, type Step } from "./samples.ts";
import type { Figure, Scenario } from "./scenario.ts";

export const NATIVE = "browse, native";
/** The peer that the targets are of. */
const MEASURE = "agent-browser";
/** What the Node client may take on top of an empty script by the same Node. */
const MAX_OVER_NODE_MS = 10;
const BARE = "node -e 0";

/** A tool's command line, ready to be given its words. */
export interface CommandLine {
  syntax: Syntax;
  run(argv: readonly string[]): Promise<string>;
}

export interface PeerRow {
  name: string;
  /** Where it is done; each tool goes there first. */
  page: PageName;
  /** The element that it is done to, as in `button "Save"`. */
  element?: string;
  /** `ref`: the element's, as the tool knows it; `url`: the page's. */
  argv(syntax: Syntax, to: { ref: string; url: string }): string[];
  /** What the native client's median may be, as a share of agent-browser's. */
  share: number;
  /** The Node client is held against an empty script. */
  besideNode?: true;
  /** Default 1: how many of the runs are made. */
  portion?: number;
}

export function peerRow({ portion = 1, besideNode, ...row }: PeerRow): Scenario {
  return {
    group: "peers",
    name: row.name,
    target: `native ≤ ${row.share} × ${MEASURE}${besideNode ? `; Node ≤ bare \`node -e 0\` + ${MAX_OVER_NODE_MS} ms` : ""}`,
    async run(context) {
      const steps: Record<string, Step> = {};
      const lines: Record<string, string> = {};
      const { [NATIVE]: native, ...tools } = await commandLines(context);
      for (const [name, tool] of Object.entries(tools)) {
        const argv = await prepared(tool, row, context.pages.url(row.page));
        steps[name] = async () => await tool.run(argv);
        lines[name] = argv.join(" ");
        // In the same tab as the other client, which has just gone there.
        if (name === "browse" && native) {
          steps[NATIVE] = async () => await native.run(argv);
          lines[NATIVE] = argv.join(" ");
        }
      }
      if (besideNode) steps[BARE] = async () => await runProcess([process.execPath, "-e", "0"], { cwd: tmpdir() });
      const samples = await inBlocks(steps, { runs: Math.ceil(context.runs * portion) });
      return figuresOf(samples, { share: row.share, lines });
    },
  };
}

/** Each tool by its name, with its browser up. */
export async function commandLines(context: BenchContext): Promise<Record<string, CommandLine>> {
  const { cli, native } = await context.project();
  const ours = (client: typeof cli): CommandLine => ({ syntax: OURS, run: async (argv) => await client(...argv) });
  const peers = await context.peers();
  return {
    browse: ours(cli),
    ...(native && { [NATIVE]: ours(native) }),
    ...Object.fromEntries(peers.map((peer) => [peer.name, peer])),
  };
}

async function prepared({ syntax, run }: CommandLine, row: Omit<PeerRow, "name">, url: string): Promise<string[]> {
  await run(syntax.goto(url));
  const ref = row.element === undefined ? "" : syntax.refOf(await run(syntax.snapshot), row.element);
  return row.argv(syntax, { ref, url });
}

/** `lines`: what was run, by name. */
export function figuresOf(
  samples: Readonly<Record<string, Samples>>,
  { share, lines = {} }: { share: number; lines?: Readonly<Record<string, string>> },
): Figure[] {
  const { browse, [NATIVE]: native, [BARE]: bare, ...peers } = samples;
  if (!browse) throw new Error("Cannot compare: nothing was measured");
  const figure = (name: string, of: Samples) => of.figure(name, lines[name] ? { note: `\`${lines[name]}\`` } : {});
  return [
    figure("browse", browse),
    ...(native ? [figure(NATIVE, native)] : []),
    ...(bare ? [bare.figure(BARE), overNode(browse, bare)] : []),
    ...Object.entries(peers).flatMap(([name, peer]) => [
      figure(name, peer),
      ratio(`browse ÷ ${name}`, browse, peer),
      ...(native ? [ratio(`${NATIVE} ÷ ${name}`, native, peer, name === MEASURE ? { atMost: share } : undefined)] : []),
    ]),
  ];
}

function overNode(browse: Samples, bare: Samples): Figure {
  const value = browse.median - bare.median;
  return { name: "browse over bare Node", unit: "ms", value, limit: { atMost: MAX_OVER_NODE_MS } };
}
