import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "title",
  category: "navigate",
  summary: "Print the page's title",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  params: v.strictObject({}),
  result: v.strictObject({ title: v.string() }),
  examples: ["browse title"],
  async run({ tab }) {
    return { title: await tab.page.title() };
  },
  render: ({ title }) => title,
});
