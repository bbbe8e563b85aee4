import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "url",
  category: "navigate",
  summary: "Print the tab's address",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "plain",
  // An address is percent-encoded: no sentence, and of use only whole.
  fromPage: "nothing",
  worksInDialog: true,
  params: v.strictObject({}),
  result: v.strictObject({
    url: v.string(),
    failed: v.exactOptional(
      v.pipe(
        v.string(),
        v.description("The address that could not be loaded, where the browser shows its own error page"),
      ),
    ),
  }),
  examples: ["browse url"],
  run({ tab }) {
    const failed = tab.pendingNavigation.unshown?.url;
    return { url: tab.url, ...(failed !== undefined && { failed }) };
  },
  render: ({ url, failed }) => (failed === undefined ? url : `${url} (instead of ${failed})`),
});
