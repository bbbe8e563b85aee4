import { Samples, timed } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const CALLS = 5_000;
const ROUNDS = 5;

export const openPipelined: Scenario = {
  group: "connection",
  name: "Open connection: pipelined `url`",
  target: "≥ 10,000 calls/s",
  async run(context) {
    const connection = await (await context.project()).connect();
    await connection.call("goto", { url: context.pages.url("form") });
    const rates: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const ms = await timed(async () => {
        await Promise.all(Array.from({ length: CALLS }, () => connection.call("url")));
      });
      if (round >= 0) rates.push((CALLS / ms) * 1_000);
    }
    return [new Samples(rates).figure("calls", { unit: "calls/s", limit: { atLeast: 10_000 } })];
  },
};
