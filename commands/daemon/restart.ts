import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "restart",
  category: "daemon",
  summary: "Stop the daemon and start another with the same settings",
  description:
    "Tabs, logins and storage of the daemon's sessions end with it. Settings given here replace the old ones.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  params: v.strictObject({
    headed: v.exactOptional(v.pipe(v.boolean(), v.description("With a window, or with --no-headed without"))),
    proxy: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(
          /^(?:none|(?:https?|socks[45]):\/\/[^\s/]+\/?)$/i,
          'must be an http, https, socks4 or socks5 URL, or "none"',
        ),
        v.description('Proxy of the browser, or "none"'),
      ),
    ),
  }),
  result: v.strictObject({ pid: v.number() }),
  examples: ["browse restart", "browse restart --no-headed"],
  run({ daemon }, { headed, proxy }) {
    daemon.restart({ ...(headed === undefined ? {} : { headed }), ...(proxy === undefined ? {} : { proxy }) });
    return { pid: daemon.status().pid };
  },
  render: ({ pid }) => `Restarting: the daemon (pid ${pid}) hands over to a new one`,
});
