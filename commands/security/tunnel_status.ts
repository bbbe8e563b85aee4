import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { TunnelSchema, tunnelText } from "./_tunnel_shape.ts";

export default defineCommand({
  name: "tunnel.status",
  category: "security",
  summary: "Show whether the tunnel is open, and where it is reachable",
  scope: "control",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: TunnelSchema,
  examples: ["browse tunnel status"],
  run: ({ daemon: { remote } }) => remote.tunnel(),
  render: tunnelText,
});
