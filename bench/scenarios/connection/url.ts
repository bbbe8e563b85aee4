import { Samples, timed } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const CALLS_PER_RUN = 200;

export const openUrl: Scenario = {
  group: "connection",
  name: "Open connection: `url` round trip",
  target: "p50 ≤ 0.3 ms, p99 ≤ 2 ms",
  async run(context) {
    const connection = await (await context.project()).connect();
    await connection.call("goto", { url: context.pages.url("form") });
    const times: number[] = [];
    for (let call = -500; call < context.runs * CALLS_PER_RUN; call++) {
      const ms = await timed(async () => await connection.call("url"));
      if (call >= 0) times.push(ms);
    }
    const samples = new Samples(times);
    return [
      samples.figure("p50", { limit: { atMost: 0.3 } }),
      { name: "p99", unit: "ms", value: samples.quantile(0.99), limit: { atMost: 2 } },
    ];
  },
};
