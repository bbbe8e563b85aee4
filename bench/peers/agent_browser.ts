import { matchOnLine, type PeerSyntax } from "./peer.ts";

export const agentBrowser: PeerSyntax = {
  name: "agent-browser",
  variable: "BENCH_AGENT_BROWSER",
  env: (_, executablePath) => ({
    AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
    AGENT_BROWSER_SESSION: `bench-${process.pid}`,
    ...(process.getuid?.() === 0 ? { AGENT_BROWSER_ARGS: "--no-sandbox" } : {}),
  }),
  start: (url) => [["open", url]],
  url: ["get", "url"],
  goto: (url) => ["open", url],
  snapshot: ["snapshot", "-i"],
  refOf: (snapshot, button) => `@${matchOnLine(snapshot, `button "${button}"`, /ref=(e\d+)/)}`,
  click: (ref) => ["click", ref],
  screenshot: (path) => ["screenshot", path],
  stop: ["close"],
};
