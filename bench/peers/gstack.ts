import { matchOnLine, type PeerKind } from "./peer.ts";

export const gstack: PeerKind = {
  name: "gstack browse",
  variable: "BENCH_GSTACK",
  isNative: true,
  setUp: ({ session, chromium }) => ({
    env: {
      BROWSE_STATE_FILE: `${session}.json`,
      GSTACK_CHROMIUM_PATH: chromium,
      ...(process.getuid?.() === 0 ? { CONTAINER: "1" } : {}),
    },
    syntax: {
      start: (url) => [["goto", url]],
      goto: (url) => ["goto", url],
      url: ["url"],
      text: (tag) => ["text", tag],
      js: (expression) => ["js", expression],
      snapshot: ["snapshot", "-i"],
      refOf: (snapshot, element) => matchOnLine(snapshot, element.replace(/^(\w+)/, "[$1]"), /(@e\d+)/),
      fill: (ref, text) => ["fill", ref, text],
      click: (ref) => ["click", ref],
      screenshot: (file) => ["screenshot", "--viewport", file],
      stop: ["stop"],
    },
  }),
};
