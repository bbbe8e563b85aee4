import * as v from "valibot";
import { PROXY_FORMS, proxyUrl } from "../../security/urls/proxy.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "restart",
  category: "daemon",
  summary: "Restart the daemon with the same settings",
  description:
    "Tabs are loaded again with their logins and storage; what was typed into pages is gone, and agents have to be paired again. Settings given here replace the old ones.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    headed: v.exactOptional(v.pipe(v.boolean(), v.description("With a window, or with --no-headed without"))),
    proxy: v.exactOptional(
      v.pipe(
        v.string(),
        v.check((text) => text === "none" || proxyUrl(text) !== undefined, `must be ${PROXY_FORMS}, or "none"`),
        v.description('Proxy of the browser, or "none"'),
      ),
    ),
  }),
  result: v.strictObject({ replacedPid: v.pipe(v.number(), v.description("Of the daemon that ends")) }),
  examples: ["browse restart", "browse restart --no-headed"],
  run({ daemon }, { headed, proxy }) {
    const server = proxy && (proxyUrl(proxy) ?? proxy);
    daemon.restart({ ...(headed !== undefined && { headed }), ...(server && { proxy: server }) });
    return { replacedPid: daemon.status().pid };
  },
  render: ({ replacedPid }) => `Restarting: the daemon (pid ${replacedPid}) hands over to a new one`,
});
