import { matchOnLine, type PeerKind } from "./peer.ts";

export const agentBrowser: PeerKind = {
  name: "agent-browser",
  variable: "BENCH_AGENT_BROWSER",
  file: `agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
  isNative: true,
  setUp: ({ session, chromium }) => ({
    env: {
      AGENT_BROWSER_EXECUTABLE_PATH: chromium,
      AGENT_BROWSER_SESSION: session,
      ...(process.getuid?.() === 0 ? { AGENT_BROWSER_ARGS: "--no-sandbox" } : {}),
    },
    syntax: {
      start: (url) => [["open", url]],
      goto: (url) => ["open", url],
      url: ["get", "url"],
      text: (tag) => ["get", "text", tag],
      js: (expression) => ["eval", expression],
      snapshot: ["snapshot", "-i"],
      refOf: (snapshot, element) => `@${matchOnLine(snapshot, element, /ref=(e\d+)/)}`,
      fill: (ref, text) => ["fill", ref, text],
      click: (ref) => ["click", ref],
      screenshot: (file) => ["screenshot", file],
      stop: ["close"],
    },
  }),
};
