import * as v from "valibot";
import { noSuchTab } from "../../browser/tabs/no_such_tab.ts";
import { defineCommand } from "../command.ts";
import { TabId } from "../params.ts";
import { placeText, TabSchema, tabShape } from "./_tab_shape.ts";

export default defineCommand({
  name: "tab",
  category: "tabs",
  summary: "Make a tab the session's current one",
  scope: "meta",
  effect: "browser",
  needs: "session",
  reach: "own",
  showsTab: true,
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({ id: TabId }),
  cli: { positional: ["id"] },
  result: TabSchema,
  examples: ["browse tab t1"],
  run({ session, holder }, { id }) {
    const tab = session.find(id);
    if (!tab) throw noSuchTab(id, session.tabs);
    session.select(tab, holder);
    return { ...tabShape(tab), current: true };
  },
  render: ({ id, ...place }) => `Now on ${id} ${placeText(place)}`,
});
