import { describe, expect, test } from "vitest";
import { ensembleOf } from "../../../../security/content/classifier/ensemble.ts";

function saying(...scores: number[]) {
  return { name: String(scores[0]), score: async () => scores, close: async () => undefined };
}

const scoresOf = async (...members: number[][]) =>
  await ensembleOf(members.map((scores) => saying(...scores))).score(["one", "two"]);

describe("An ensemble", () => {
  test("of one has its scores", async () => {
    expect(await scoresOf([1, 0.3])).toEqual([1, 0.3]);
  });

  test("takes the middle of the odds, for each window", async () => {
    const [first, second] = await scoresOf([0.9, 0.2], [0.5, 0.8]);
    expect(first).toBeCloseTo(0.75);
    expect(second).toBeCloseTo(0.5);
  });

  test("is not outvoted by one that is certain of everything", async () => {
    const [first] = await scoresOf([1, 1], [0.001, 0.5], [0.001, 0.5]);
    expect(first).toBeLessThan(0.2);
  });
});
