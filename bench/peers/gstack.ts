import { matchOnLine, type PeerSyntax } from "./peer.ts";

export const gstack: PeerSyntax = {
  name: "gstack browse",
  variable: "BENCH_GSTACK",
  env: (dir, executablePath) => ({
    BROWSE_STATE_FILE: `${dir}/browse.json`,
    GSTACK_CHROMIUM_PATH: executablePath,
    ...(process.getuid?.() === 0 ? { CONTAINER: "1" } : {}),
  }),
  start: (url) => [["goto", url]],
  url: ["url"],
  goto: (url) => ["goto", url],
  snapshot: ["snapshot", "-i"],
  refOf: (snapshot, button) => matchOnLine(snapshot, `[button] "${button}"`, /(@e\d+)/),
  click: (ref) => ["click", ref],
  screenshot: (path) => ["screenshot", "--viewport", path],
  stop: ["stop"],
};
