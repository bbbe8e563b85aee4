/** `snapshot -D`: what changed since the tab's last snapshot. How filters are compared: docs/design/snapshot-diff.md. */

import type { Change } from "../../browser/effect_report.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { changesBetween } from "./diff.ts";
import { quote } from "./render.ts";
import {
  type IdentifiedSnapshot,
  identifiedSnapshot,
  type Snapshot,
  type SnapshotNode,
  type SnapshotOptions,
} from "./snapshot.ts";

type Filters = Omit<SnapshotOptions, "signal" | "maxNodes" | "onHidden">;

interface Baseline extends IdentifiedSnapshot {
  filters: Filters;
  maxNodes: number | undefined;
}

/** Snapshots of one tab that are kept to compare with: one for each way of looking. */
const MAX_KEPT = 4;

/** By their flags, the newest last. */
const BASELINES: StateKey<Tab, Map<string, Baseline>> = { make: () => new Map() };

export interface Comparison {
  /** `first`: none was taken so of this page. `elsewhere`: that was another page. The snapshot itself is shown for both. */
  outcome: "first" | "elsewhere" | "unchanged" | "changed";
  /** The earlier snapshot's address, when the page is another. */
  from?: string;
  /** The flags asked for, as they are typed: what they do not show is not compared. */
  flags: string;
  changes: Change[];
}

export interface ComparedSnapshot extends Snapshot {
  comparison: Comparison;
}

interface Compared {
  /** Without nodes, when the comparison itself tells what there is to tell. */
  compared: ComparedSnapshot;
  now: Snapshot;
}

/** A snapshot that the next comparison begins at. Throws what `takeSnapshot` throws. */
export async function baselineSnapshot(tab: Tab, options: SnapshotOptions): Promise<Snapshot> {
  return (await remember(tab, options)).snapshot;
}

async function remember(tab: Tab, options: SnapshotOptions): Promise<IdentifiedSnapshot> {
  const taken = await identifiedSnapshot(tab, options);
  const { signal: _, onHidden: __, maxNodes, ...filters } = options;
  const kept = tab.past.get(BASELINES);
  const flags = flagsOf(filters);
  kept.delete(flags);
  kept.set(flags, { ...taken, filters, maxNodes });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return taken;
}

/**
 * Compares with the last snapshot that was taken so, or else with the last one of the whole page, and keeps this one to
 * compare with. Throws what `takeSnapshot` throws.
 */
export async function compareWithLast(tab: Tab, options: SnapshotOptions): Promise<Compared> {
  const flags = flagsOf(options);
  const kept = [...tab.past.get(BASELINES)];
  const [own, whole] = [flags, ""].map((wanted) => kept.find(([taken]) => taken === wanted)?.[1]);
  const last = kept.at(-1)?.[1];
  const after = await remember(tab, options);
  const now = after.snapshot;
  const inTree = own?.doc === after.doc ? changesBetween(own, after) : await changesInWhole(tab, whole, after, options);
  const before = own?.doc === after.doc ? own : whole;
  if (inTree && before) {
    const changes = [...pageChanges(before.snapshot, now), ...inTree];
    const comparison: Comparison = { outcome: changes.length > 0 ? "changed" : "unchanged", flags, changes };
    return { now, compared: { ...now, nodes: [], comparison } };
  }
  const isElsewhere = last !== undefined && last.doc !== after.doc;
  const comparison: Comparison = isElsewhere
    ? { outcome: "elsewhere", from: last.snapshot.url, flags, changes: [] }
    : { outcome: "first", flags, changes: [] };
  return { now, compared: { ...now, comparison } };
}

/** Of what has changed in the whole page, what the flags show; undefined when that was another page, or none is kept. */
async function changesInWhole(
  tab: Tab,
  whole: Baseline | undefined,
  after: IdentifiedSnapshot,
  options: SnapshotOptions,
): Promise<Change[] | undefined> {
  // What an element or a window shows is no part that could be told from what has left it.
  const { selector, viewport, modal, depth } = options;
  if (!whole || selector !== undefined || viewport || modal || depth !== undefined) return undefined;
  const { maxNodes } = whole;
  const again = await identifiedSnapshot(tab, { signal: options.signal, ...(maxNodes !== undefined && { maxNodes }) });
  if (again.doc !== whole.doc) return undefined;
  return shownBy(changesBetween(whole, again, { isTold: toldBy(options) }), after, options);
}

/** The same document may get another title, and another address through the history API. */
export function pageChanges(before: Snapshot, after: Snapshot): Change[] {
  const told = (what: string, was: string, is: string): Change[] =>
    was === is
      ? []
      : [{ kind: "changed", depth: 0, line: `${what} ${quote(is, 200)}`, was: `${what} ${quote(was, 200)}` }];
  return [...told("address", before.url, after.url), ...told("title", before.title, after.title)];
}

/** Of what is gone only its role can tell whether the flags would show it. */
function toldBy({ interactive: only, clickable: how }: Filters): (node: SnapshotNode) => boolean {
  if (how === "only") return ({ clickable }) => clickable !== undefined;
  return ({ interactive, clickable }) => !only || interactive === true || clickable !== undefined;
}

/** What the flags asked for now show, too. */
function shownBy(
  changes: Change[],
  { snapshot: { nodes } }: IdentifiedSnapshot,
  { interactive, clickable }: Filters,
): Change[] {
  const shown = new Set(nodes.map(({ ref }) => ref));
  return changes.filter(({ kind, ref }) => {
    if (kind === "removed") return true;
    return ref === undefined ? !interactive && clickable !== "only" : shown.has(ref);
  });
}

/** As they are typed; `-s` and what follows it last. */
function flagsOf({ interactive, compact, viewport, clickable, modal, depth, selector }: Filters): string {
  const letters = [interactive && "i", compact && "c", viewport && "v", clickable && !interactive && "C"];
  const bundle = letters.filter(Boolean).join("");
  return [
    bundle && `-${bundle}`,
    interactive && !clickable && "--no-clickable",
    modal && "--modal",
    depth !== undefined && `-d ${depth}`,
    selector !== undefined && `-s ${selector}`,
  ]
    .filter(Boolean)
    .join(" ");
}
