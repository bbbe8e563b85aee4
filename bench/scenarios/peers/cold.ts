import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext } from "../../context.ts";
import { figuresOf, NATIVE } from "../../peer_row.ts";
import type { FoundPeer } from "../../peers/mod.ts";
import { Samples, timed } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const STARTS = 7;
const SHARE = 0.8;

/** Before any of them is up: a browser that idles beside them is nobody's. */
export const peerCold: Scenario = {
  group: "peers",
  name: "From nothing to a loaded page",
  target: `native ≤ ${SHARE} × agent-browser`,
  async run(context) {
    using home = mkdtempDisposableSync(join(tmpdir(), "browse-home-"));
    const starts: Record<string, () => Promise<number>> = {
      browse: () => ourStart(context, home.path, "cli"),
      [NATIVE]: () => ourStart(context, home.path, "native"),
      ...Object.fromEntries(context.found.map((peer) => [peer.name, () => theirStart(context, peer)])),
    };
    const samples: Record<string, Samples> = {};
    for (const [name, start] of Object.entries(starts)) {
      await start();
      const times: number[] = [];
      while (times.length < STARTS) times.push(await start());
      samples[name] = new Samples(times);
    }
    return figuresOf(samples, { share: SHARE });
  },
};

/** Of a new project of somebody who has used browse before. */
async function ourStart(context: BenchContext, home: string, client: "cli" | "native"): Promise<number> {
  await using project = context.freshProject({ home });
  const run = project[client] ?? project.cli;
  return await timed(async () => await run("goto", context.pages.url("form")));
}

async function theirStart(context: BenchContext, found: FoundPeer): Promise<number> {
  await using peer = context.freshPeer(found);
  return await timed(async () => await peer.start(context.pages.url("form")));
}
