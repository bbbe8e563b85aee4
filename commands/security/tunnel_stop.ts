import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { TunnelSchema } from "./_tunnel_shape.ts";

export default defineCommand({
  name: "tunnel.stop",
  category: "security",
  summary: "Close the tunnel",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  timeoutMs: 60_000,
  params: v.strictObject({}),
  result: TunnelSchema,
  examples: ["browse tunnel stop"],
  async run({ daemon: { remote } }) {
    await remote.closeTunnel();
    return remote.tunnel();
  },
  render: () => "The tunnel is closed",
});
