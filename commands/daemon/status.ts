import * as v from "valibot";
import { defineCommand } from "../command.ts";

const StatusSchema = v.strictObject({
  pid: v.number(),
  version: v.string(),
  protocol: v.string(),
  uptimeMs: v.number(),
  port: v.number(),
  stateDir: v.string(),
  browser: v.picklist(["none", "starting", "running", "gone"]),
  browserVersion: v.exactOptional(v.string()),
  headed: v.boolean(),
  proxy: v.exactOptional(v.string()),
  connections: v.number(),
  sessions: v.array(v.strictObject({ name: v.string(), tabs: v.number() })),
  memoryBytes: v.number(),
});

export default defineCommand({
  name: "status",
  category: "daemon",
  summary: "Tell how the daemon and its browser are",
  scope: "read",
  effect: "none",
  needs: "daemon",
  outsidePolicy: true,
  output: "plain",
  params: v.strictObject({}),
  result: StatusSchema,
  examples: ["browse status"],
  run({ daemon }) {
    return daemon.status();
  },
  render(status) {
    const sessions = status.sessions.map(({ name, tabs }) => `${name} (${tabs} ${tabs === 1 ? "tab" : "tabs"})`);
    return [
      `daemon   pid ${status.pid}, port ${status.port}, up ${Math.round(status.uptimeMs / 1_000)} s, version ${status.version}`,
      `browser  ${status.browser}${status.browserVersion ? ` ${status.browserVersion}` : ""}${status.headed ? ", headed" : ""}`,
      `sessions ${sessions.length === 0 ? "none" : sessions.join(", ")}`,
      `clients  ${status.connections}`,
      `memory   ${Math.round(status.memoryBytes / 1_000_000)} MB`,
      `state    ${status.stateDir}`,
    ].join("\n");
  },
});
