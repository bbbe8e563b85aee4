import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "start",
  category: "daemon",
  summary: "Start the daemon and its browser now",
  description: "Every command does this by itself when needed; starting ahead makes the first one quick.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({ pid: v.number(), port: v.number(), browserVersion: v.string() }),
  examples: ["browse start"],
  async run({ daemon }) {
    await daemon.browser.start();
    const { pid, port, browserVersion = "" } = daemon.status();
    return { pid, port, browserVersion };
  },
  render: ({ pid, port, browserVersion }) => `Running: daemon ${pid} on port ${port}, Chromium ${browserVersion}`,
});
