import * as v from "valibot";
import { titleOf } from "../../browser/capture/page_title.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "title",
  category: "navigate",
  summary: "Print the page's title",
  description: "In quotes, on one line, and no more of it than 200 characters; --json has it whole.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({}),
  result: v.strictObject({ title: v.string() }),
  examples: ["browse title"],
  async run({ tab }) {
    // A page that is on its way elsewhere is not heard, and the driver makes up a title then.
    const isHeard = tab.pendingNavigation.url === undefined;
    return { title: isHeard ? await tab.page.title() : ((await titleOf(tab)) ?? "") };
  },
  render: ({ title }) => JSON.stringify(title),
});
