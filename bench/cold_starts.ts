import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext } from "./context.ts";
import { Samples, timed } from "./samples.ts";
import type { Figure } from "./scenario.ts";

const STARTS = 7;

/**
 * A command as the first of a new project of somebody who has used browse before, so that nothing is there but what the
 * system keeps in its caches and the daemon in the user's folder.
 */
export async function coldStarts(context: BenchContext, argv: readonly string[], limitMs: number): Promise<Figure[]> {
  using home = mkdtempDisposableSync(join(tmpdir(), "browse-home-"));
  const times: number[] = [];
  for (let start = -1; start < STARTS; start++) {
    await using project = context.freshProject({ home: home.path });
    const ms = await timed(async () => await project.cli(...argv));
    if (start >= 0) times.push(ms);
  }
  return [new Samples(times).figure("browse", { limit: { atMost: limitMs } })];
}
