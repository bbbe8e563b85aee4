import * as v from "valibot";
import { goTo } from "../../browser/navigation.ts";
import { ArrivalSchema, arrivalText } from "../arrival.ts";
import { defineCommand } from "../command.ts";
import { EffectSchema, effectText } from "../effect.ts";

export default defineCommand({
  name: "newtab",
  category: "tabs",
  summary: "Open a tab, make it current, and load an address in it",
  scope: "write",
  effect: "browser",
  needs: "session",
  reach: "own",
  remote: true,
  output: "plain",
  params: v.strictObject({
    url: v.exactOptional(v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(100_000))),
  }),
  cli: { positional: ["url"] },
  urls: ["url"],
  result: v.strictObject({ id: v.string(), ...ArrivalSchema.entries, effect: v.exactOptional(EffectSchema) }),
  examples: ["browse newtab", "browse newtab http://shop.example/about"],
  async run({ session, holder, signal, arriveIn }, { url }) {
    const tab = await session.newTab(holder);
    if (url === undefined) return { id: tab.id, url: tab.url };
    return { id: tab.id, ...(await arriveIn(tab, async () => await goTo(tab, url, { wait: "dom", signal }))) };
  },
  render: ({ id, effect = {}, ...arrival }) =>
    `Opened ${id}${arrival.url === "about:blank" ? "" : `: ${arrivalText(arrival)}`}${effectText(effect)}`,
});
