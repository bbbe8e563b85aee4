/** What changed between two snapshots: lines that came, went, are another or stand elsewhere. */
import type { Change } from "../../browser/effect_report.ts";
import { lineOf } from "./render.ts";
import type { IdentifiedSnapshot, SnapshotNode } from "./snapshot.ts";

interface Entry {
  /** The same in both snapshots for the same element, or the same piece of text. */
  key: string;
  parent: string;
  line: string;
  node: SnapshotNode;
}

interface DiffOptions {
  /** Of what is gone: whether the flags asked for now would have shown it. */
  isTold: (node: SnapshotNode) => boolean;
}

/** In the order of the page as it is now; what is gone follows what stood before it. */
export function changesBetween(
  before: IdentifiedSnapshot,
  after: IdentifiedSnapshot,
  { isTold }: DiffOptions = { isTold: () => true },
): Change[] {
  const was = entriesOf(before);
  const is = entriesOf(after);
  const known = new Map(was.map((entry) => [entry.key, entry]));
  const present = new Set(is.map(({ key }) => key));
  const gone = goneByPredecessor(comparable(was, present, after), present, isTold);
  const moved = movedKeys(was, is);
  const lastKnown = isTruncated(before) ? is.findLastIndex(({ key }) => known.has(key)) : is.length;
  const depths = new Map<string, number>();
  const changes = [...(gone.get("") ?? [])];
  for (const [index, entry] of is.entries()) {
    const old = known.get(entry.key);
    if (!old && index <= lastKnown) changes.push(added(entry, depths));
    else if (old && old.line !== entry.line) changes.push({ ...told("changed", entry), was: old.line });
    else if (moved.has(entry.key)) changes.push(told("moved", entry));
    changes.push(...(gone.get(entry.key) ?? []));
  }
  return changes;
}

/** Text is known by its place among its parent's texts, so that one that changed is told as changed. */
function entriesOf({ snapshot, identities }: IdentifiedSnapshot): Entry[] {
  const base = snapshot.frame ?? snapshot.url;
  const path: string[] = [];
  const texts = new Map<string, number>();
  return snapshot.nodes.map((node, index) => {
    const parent = path[node.depth - 1] ?? "";
    const place = texts.get(parent) ?? 0;
    const identity = identities[index];
    if (identity === undefined) texts.set(parent, place + 1);
    const key = identity ?? `${parent}#${place}`;
    path.length = node.depth;
    path[node.depth] = key;
    return { key, parent, line: lineOf(node, base), node };
  });
}

function isTruncated({ snapshot: { shown, total } }: IdentifiedSnapshot): boolean {
  return shown < total;
}

/** Past the end of a snapshot that was cut nothing is known to be gone. */
function comparable(was: Entry[], present: ReadonlySet<string>, after: IdentifiedSnapshot): Entry[] {
  return isTruncated(after) ? was.slice(0, was.findLastIndex(({ key }) => present.has(key)) + 1) : was;
}

/** What is gone, by the nearest line before it that is still there; one line for all that went together. */
function goneByPredecessor(
  was: Entry[],
  present: ReadonlySet<string>,
  isTold: DiffOptions["isTold"],
): Map<string, Change[]> {
  const gone = new Map<string, Change[]>();
  const outermost = new Map<string, Change>();
  let predecessor = "";
  for (const entry of was) {
    if (present.has(entry.key)) {
      predecessor = entry.key;
      continue;
    }
    if (!isTold(entry.node)) continue;
    const around = outermost.get(entry.parent);
    const change = around ?? told("removed", entry);
    outermost.set(entry.key, change);
    if (around) around.inside = (around.inside ?? 0) + 1;
    else gone.set(predecessor, [...(gone.get(predecessor) ?? []), change]);
  }
  return gone;
}

/** Keys outside the longest run that has kept its order. */
function movedKeys(was: Entry[], is: Entry[]): Set<string> {
  const places = new Map(was.map(({ key }, index) => [key, index]));
  const common = is.filter(({ key }) => places.has(key));
  const kept = increasing(common.map(({ key }) => places.get(key) ?? 0));
  return new Set(common.filter((_, index) => !kept.has(index)).map(({ key }) => key));
}

/** Indices of a longest increasing subsequence, by patience sorting. */
function increasing(values: readonly number[]): Set<number> {
  const tops: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    for (let high = tops.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((values[tops[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = index;
  }
  const kept = new Set<number>();
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept.add(at);
  return kept;
}

function added(entry: Entry, depths: Map<string, number>): Change {
  const around = depths.get(entry.parent);
  const depth = around === undefined ? 0 : around + 1;
  depths.set(entry.key, depth);
  return { ...told("added", entry), depth };
}

function told(kind: Change["kind"], { node, line }: Entry): Change {
  return { kind, depth: 0, ...(node.ref !== undefined && { ref: node.ref }), line };
}
