/** `snapshot -D`: what changed since the tab's last snapshot. How filters are compared: docs/design/snapshot-diff.md. */
import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { type Change, changesBetween } from "./diff.ts";
import { quote } from "./render.ts";
import {
  type IdentifiedSnapshot,
  identifiedSnapshot,
  type Snapshot,
  type SnapshotNode,
  type SnapshotOptions,
} from "./snapshot.ts";

type Filters = Omit<SnapshotOptions, "signal" | "maxNodes">;

interface Baseline extends IdentifiedSnapshot {
  filters: Filters;
  maxNodes: number | undefined;
}

const baselines = new WeakMap<Tab, Baseline>();

export interface Comparison {
  /** `first`: there is no earlier one. `elsewhere`: that was another page. The snapshot itself is shown for both. */
  outcome: "first" | "elsewhere" | "unchanged" | "changed";
  /** The earlier snapshot's address, when the page is another. */
  from?: string;
  /** The flags of the earlier snapshot, when they are others: what they leave out is not compared. */
  comparedAs?: string;
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
  const { signal: _, maxNodes, ...filters } = options;
  baselines.set(tab, { ...taken, filters, maxNodes });
  return taken;
}

/** Compares with the last snapshot, and is the last one from now on. Throws what `takeSnapshot` throws. */
export async function compareWithLast(tab: Tab, options: SnapshotOptions): Promise<Compared> {
  const before = baselines.get(tab);
  const after = await remember(tab, options);
  const now = after.snapshot;
  if (!before) return { now, compared: { ...now, comparison: { outcome: "first", changes: [] } } };
  const sameFlags = flagsOf(before.filters) === flagsOf(options);
  const alike = sameFlags ? after : await againAs(tab, before, options);
  if (!alike || alike.doc !== before.doc) {
    return { now, compared: { ...now, comparison: { outcome: "elsewhere", from: before.snapshot.url, changes: [] } } };
  }
  const inTree = sameFlags
    ? changesBetween(before, alike)
    : shownBy(changesBetween(before, alike, { isTold: toldBy(options) }), after, options);
  const changes = [...pageChanges(before.snapshot, now), ...inTree];
  const comparison: Comparison = { outcome: changes.length > 0 ? "changed" : "unchanged", changes };
  if (!sameFlags) comparison.comparedAs = flagsOf(before.filters);
  return { now, compared: { ...now, nodes: [], comparison } };
}

/** The page now with the flags of then; undefined when the part of it that was shown is gone. */
async function againAs(tab: Tab, { filters, maxNodes }: Baseline, { signal }: SnapshotOptions) {
  try {
    return await identifiedSnapshot(tab, { ...filters, signal, ...(maxNodes === undefined ? {} : { maxNodes }) });
  } catch (error) {
    const isGone = error instanceof BrowseError && (error.kind === "stale_ref" || error.kind === "not_found");
    if (isGone && filters.selector !== undefined) return undefined;
    throw error;
  }
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
function toldBy({ interactive: only }: Filters): (node: SnapshotNode) => boolean {
  return ({ interactive, clickable }) => !only || interactive === true || clickable !== undefined;
}

/** What the flags asked for now show, too. */
function shownBy(changes: Change[], { snapshot: { nodes } }: IdentifiedSnapshot, { interactive }: Filters): Change[] {
  const shown = new Set(nodes.map(({ ref }) => ref));
  return changes.filter(({ kind, ref }) => {
    if (kind === "removed") return true;
    return ref === undefined ? !interactive : shown.has(ref);
  });
}

/** As they are typed; `-s` and what follows it last. */
function flagsOf({ interactive, compact, viewport, clickable, modal, depth, selector }: Filters): string {
  const letters = [interactive && "i", compact && "c", viewport && "v", clickable && "C"].filter(Boolean).join("");
  return [
    letters && `-${letters}`,
    modal && "--modal",
    depth !== undefined && `-d ${depth}`,
    selector !== undefined && `-s ${selector}`,
  ]
    .filter(Boolean)
    .join(" ");
}
