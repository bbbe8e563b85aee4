import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { TabSchema, tabText } from "./shape.ts";

export default defineCommand({
  name: "tabs",
  category: "tabs",
  summary: "List the session's tabs",
  scope: "read",
  effect: "none",
  needs: "session",
  remote: true,
  output: "page",
  params: v.strictObject({}),
  result: v.strictObject({ tabs: v.array(TabSchema) }),
  examples: ["browse tabs"],
  run({ session }) {
    const tabs = session.tabs.map((tab) => ({ id: tab.id, url: tab.page.url(), current: tab === session.current }));
    return { tabs };
  },
  render({ tabs }) {
    return tabs.length === 0 ? "No tabs are open" : tabs.map(tabText).join("\n");
  },
});
