import * as v from "valibot";
import { matchElsewhere } from "../../refs/find/elsewhere.ts";
import { countMatches } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "count",
  category: "inspect",
  summary: "Count the elements that match a selector",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: v.strictObject({ count: v.number() }),
  examples: ["browse count a", "browse count 'role=button'"],
  async run({ tab, signal, log }, { target }) {
    const count = await countMatches(tab, target, { signal });
    const elsewhere = count === 0 ? await matchElsewhere(tab, target, signal) : undefined;
    if (elsewhere) log("warning", elsewhere.hint);
    return { count };
  },
  render: ({ count }) => String(count),
});
