import * as v from "valibot";
import { stopLoading } from "../../browser/tabs/stop_loading.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "stop-loading",
  category: "navigate",
  summary: "Break off what the tab is loading",
  description:
    "The tab stays on the page that it shows, which can be read again. Tabs that this page has asked for and whose " +
    "servers have not answered are closed.",
  scope: "write",
  effect: "navigation",
  needs: "tab",
  reach: "own",
  remote: true,
  output: "plain",
  locksTab: false,
  timeoutMs: 5_000,
  params: v.strictObject({}),
  result: v.strictObject({
    url: v.pipe(v.string(), v.description("Where the tab stays")),
    stopped: v.exactOptional(
      v.pipe(
        v.string(),
        v.description("The address that was given up; the tab's own where parts of its page were still loading"),
      ),
    ),
    closed: v.exactOptional(
      v.pipe(v.array(v.string()), v.description("Addresses of tabs that were closed before they were there")),
    ),
  }),
  examples: ["browse stop-loading"],
  async run({ tab }) {
    return await stopLoading(tab);
  },
  render({ url, stopped, closed }) {
    const lines = [
      stopped !== undefined && stopped !== url && `Stopped loading ${stopped}: the tab stays on ${url}`,
      stopped === url && `Stopped loading the rest of ${url}`,
      closed &&
        `Closed ${closed.length === 1 ? "a tab" : `${closed.length} tabs`} that had not answered: ${closed.join(", ")}`,
    ].filter((line) => line !== false && line !== undefined);
    return lines.join("\n") || `Nothing was loading: the tab is on ${url}`;
  },
});
