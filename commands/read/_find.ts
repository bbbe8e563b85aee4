/** Searching a snapshot: the lines that match, with their refs and what they stand in. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { lineOf, MAX_TEXT } from "../../refs/snapshot/render.ts";
import { type Snapshot, type SnapshotOptions, takeSnapshot } from "../../refs/snapshot/snapshot.ts";
import { matchLines } from "./_match_lines.ts";

/** A longer pattern is not one that a person typed. */
const MAX_PATTERN = 200;
const MAX_MATCHES = 200;
/** The whole page is searched, however much of it a snapshot would show. */
const MAX_NODES = 20_000;

export interface FindOptions {
  /** Lines shown around each match. */
  context: number;
  signal: AbortSignal;
  /** Is told, of each document, what nobody sees of the text that was read. */
  onHidden: NonNullable<SnapshotOptions["onHidden"]>;
}

export interface Found {
  matches: number;
  /** Of more matches than this, only the first so many are in the text. */
  shown?: number;
  /** Of a page with more nodes than this, only the first so many were searched. */
  searched?: number;
  /** The matching lines under their ancestors, indented as in a snapshot. */
  text: string;
}

/** Throws `invalid_params` for a malformed or runaway pattern. */
export async function findInSnapshot(
  tab: Tab,
  what: string,
  { context, signal, onHidden }: FindOptions,
): Promise<Found> {
  const written = /^\/(.*)\/([a-z]*)$/s.exec(what);
  const pattern = written ? patternOf(written[1] ?? "", written[2] ?? "") : new RegExp(RegExp.escape(what), "iu");
  const snapshot = await takeSnapshot(tab, { maxNodes: MAX_NODES, signal, onHidden });
  const base = snapshot.frame ?? snapshot.url;
  // As much of a name as of a text: who looks for words is to see them, and the content guard too.
  const lines = snapshot.nodes.map((node) => lineOf(node, base, { maxName: MAX_TEXT }));
  // A line is cut where it gets long, and its name stands in the middle of it, where "$" would not find its end.
  const wholes = snapshot.nodes.map(({ name, text = "" }, index) => [lines[index] ?? "", name, text]);
  const hits = written
    ? await matchLines(wholes, pattern, signal)
    : wholes.flatMap((parts, index) => (parts.some((part) => pattern.test(part)) ? [index] : []));
  const shown = new Set<number>();
  for (const hit of hits.slice(0, MAX_MATCHES)) {
    for (const index of ancestorsOf(snapshot, hit)) shown.add(index);
    const last = Math.min(lines.length - 1, hit + context);
    for (let index = Math.max(0, hit - context); index <= last; index++) shown.add(index);
  }
  const text = [...shown]
    .sort((a, b) => a - b)
    .map((index) => `${"  ".repeat(snapshot.nodes[index]?.depth ?? 0)}${lines[index]}`);
  return {
    matches: hits.length,
    ...(hits.length > MAX_MATCHES && { shown: MAX_MATCHES }),
    ...(snapshot.total > snapshot.shown && { searched: snapshot.shown }),
    text: text.join("\n"),
  };
}

function patternOf(source: string, flags: string): RegExp {
  if (source.length > MAX_PATTERN) {
    throw new BrowseError("invalid_params", `A pattern takes at most ${MAX_PATTERN} characters`);
  }
  try {
    // Sticky and global patterns keep a position between lines.
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch (error) {
    throw new BrowseError("invalid_params", `The pattern is malformed: ${error instanceof Error ? error.message : ""}`);
  }
}

/** From the top down, without the node itself. */
function ancestorsOf({ nodes }: Snapshot, index: number): number[] {
  const ancestors: number[] = [];
  let depth = nodes[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0 && depth > 0; at--) {
    const above = nodes[at];
    if (!above || above.depth >= depth) continue;
    depth = above.depth;
    ancestors.unshift(at);
  }
  return ancestors;
}
