import { describe, expect, test } from "vitest";
import { Paced } from "../../../rpc/wire/paced.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

function paced(perTurn: number) {
  const taken: number[] = [];
  const told: boolean[] = [];
  const queue = new Paced<number>({
    perTurn,
    take: (value) => taken.push(value),
    onBehind: (isBehind) => told.push(isBehind),
  });
  return { queue, taken, told };
}

describe("Frames of one connection", () => {
  test("are taken at once while they are few", async () => {
    const { queue, taken, told } = paced(3);
    for (const value of [1, 2, 3]) queue.push(value);
    expect(taken).toEqual([1, 2, 3]);
    await turn();
    queue.push(4);
    expect(taken).toEqual([1, 2, 3, 4]);
    expect(told).toEqual([]);
  });

  test("are taken in order, so many a turn, and reading stops until none waits", async () => {
    const { queue, taken, told } = paced(3);
    for (let value = 1; value <= 7; value++) queue.push(value);
    expect(taken).toEqual([1, 2, 3]);
    expect(told).toEqual([true]);
    await turn();
    queue.push(8);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    await turn();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(told).toEqual([true, false]);
  });
});
