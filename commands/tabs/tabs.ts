import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { placeText, TabSchema, tabShape } from "./shape.ts";

export default defineCommand({
  name: "tabs",
  category: "tabs",
  summary: "List the session's tabs",
  scope: "read",
  effect: "none",
  needs: "session",
  reach: "own",
  remote: true,
  output: "page",
  params: v.strictObject({}),
  result: v.strictObject({
    tabs: v.array(
      v.strictObject({
        ...TabSchema.entries,
        url: v.exactOptional(v.pipe(v.string(), v.description("Absent for a tab of somebody else"))),
      }),
    ),
  }),
  examples: ["browse tabs"],
  run({ session, holder, owns }) {
    const current = session.current(holder);
    const tabs = session.tabs.map((tab) => ({
      ...(owns(tab) ? tabShape(tab) : { id: tab.id, ...(tab.hasCrashed && { crashed: true }) }),
      current: tab === current,
    }));
    return { tabs };
  },
  render({ tabs }) {
    return tabs.length === 0
      ? "No tabs are open"
      : tabs
          .map(({ id, current, url = "of somebody else", ...place }) => {
            return `${current ? "*" : " "} ${id} ${placeText({ ...place, url })}`;
          })
          .join("\n");
  },
});
