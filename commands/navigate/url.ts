import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "url",
  category: "navigate",
  summary: "Tell the tab's address",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "plain",
  worksInDialog: true,
  params: v.strictObject({}),
  result: v.strictObject({ url: v.string() }),
  examples: ["browse url"],
  run({ tab }) {
    return { url: tab.page.url() };
  },
  render: ({ url }) => url,
});
