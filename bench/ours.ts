/** How browse spells what is measured beside the peers. */
import { matchOnLine, type Syntax } from "./peers/peer.ts";

export const OURS: Syntax = {
  goto: (url) => ["goto", url],
  url: ["url"],
  text: (tag) => ["text", tag],
  js: (expression) => ["js", expression],
  snapshot: ["snapshot", "-i"],
  refOf: (snapshot, element) => matchOnLine(snapshot, element.replace(/^(\w+)/, "[$1]"), /(@e\d+)/),
  fill: (ref, text) => ["fill", ref, text],
  click: (ref) => ["click", ref],
  clickOnly: (ref) => ["click", ref, "--no-settle"],
  screenshot: (file) => ["screenshot", "--viewport", file],
};
