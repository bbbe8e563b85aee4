import * as v from "valibot";
import { durationText } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { TunnelSchema, tunnelText } from "./_tunnel_shape.ts";

export default defineCommand({
  name: "tunnel.start",
  category: "security",
  summary: "Open a tunnel to this browser for paired agents elsewhere",
  description:
    'Needs your consent in ~/.browse/config.json: {"tunnel": {"consent": true, "provider": "ngrok"}}. With the provider ' +
    '"command" any program that forwards a port does it: "command": ["cloudflared", "tunnel", "--url", ' +
    '"http://127.0.0.1:{port}"], "host": "*.trycloudflare.com". Only paired agents come in, and they call only what ' +
    "`rpc.discover` lists. It closes after 30 minutes without a call, and with the daemon.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  timeoutMs: 60_000,
  params: v.strictObject({}),
  result: TunnelSchema,
  examples: ["browse tunnel start"],
  run: async ({ daemon: { remote }, signal }) => await remote.openTunnel(signal),
  render(tunnel) {
    if (tunnel.idleMs === undefined) return tunnelText(tunnel);
    const closes = `It closes after ${durationText(tunnel.idleMs)} without a call, or with \`browse tunnel stop\``;
    return `${tunnelText(tunnel)}\n${closes}\nLet an agent in with \`browse pair <name> --tunnel\``;
  },
});
