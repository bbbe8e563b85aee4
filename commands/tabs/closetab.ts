import * as v from "valibot";
import { noSuchTab } from "../../browser/no_such_tab.ts";
import { BrowseError } from "../../rpc/errors.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "closetab",
  category: "tabs",
  summary: "Close a tab: the current one unless another is named",
  aliases: ["close"],
  scope: "write",
  effect: "browser",
  needs: "session",
  reach: "own",
  tabParams: ["id"],
  remote: true,
  output: "plain",
  params: v.strictObject({ id: v.exactOptional(v.pipe(v.string(), v.regex(/^t\d+$/, "must be a tab id such as t2"))) }),
  cli: { positional: ["id"] },
  result: v.strictObject({
    closed: v.string(),
    current: v.exactOptional(
      v.pipe(v.string(), v.description("The tab that is current now; absent when none is left")),
    ),
  }),
  examples: ["browse closetab"],
  async run({ session, holder }, { id }) {
    const tab = id === undefined ? session.current(holder) : session.find(id);
    if (!tab && id !== undefined) throw noSuchTab(id, session.tabs);
    if (!tab) throw new BrowseError("tab_gone", "No tab is open", { hint: "Open one with `browse newtab`" });
    await session.close(tab);
    const current = session.current(holder);
    return { closed: tab.id, ...(current ? { current: current.id } : {}) };
  },
  render: ({ closed, current }) => `Closed ${closed}${current ? `, now on ${current}` : ", no tab is left"}`,
});
