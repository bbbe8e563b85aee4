/**
 * Pages that change between the snapshot and the action, and during it. `BROWSE_RANDOM_RUNS` gives the number of
 * sequences, `BROWSE_RANDOM_SHRINK=1` finds a small example of a failure, which takes minutes.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Player } from "./random/player.ts";
import { ROUNDS, sessions } from "./random/sequences.ts";
import { summary } from "./random/summary.ts";

const SEQUENCES = Number(process.env.BROWSE_RANDOM_RUNS ?? 60);
const SHRINKS = process.env.BROWSE_RANDOM_SHRINK === "1";
/** After which a session counts as hanging. */
const HANGS_MS = 45_000;
/** For all of them, and for finding a small example when one fails. */
const MAX_MS = 120_000 + SEQUENCES * 1000;

let player: Player;
beforeAll(async () => {
  player = await Player.open();
});
afterAll(() => player[Symbol.asyncDispose]());

test(
  "an action reaches the element that its ref named, or nothing, whatever the page does meanwhile",
  async () => {
    const started = performance.now();
    const property = fc.asyncProperty(sessions, async (session) => await player.play(session));
    try {
      await fc.assert(property, {
        numRuns: Math.ceil(SEQUENCES / ROUNDS),
        timeout: HANGS_MS,
        endOnFailure: !SHRINKS,
      });
    } finally {
      console.log(summary(player, performance.now() - started));
    }
    expect(player.played.length).toBeGreaterThan(SEQUENCES / 2);
  },
  MAX_MS,
);
