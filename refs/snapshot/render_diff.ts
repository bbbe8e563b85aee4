/** A comparison with the last snapshot as lines of text. */
import type { Change } from "../../browser/effect_report.ts";
import type { ComparedSnapshot } from "./compare.ts";
import { headerOf, type RenderOptions, renderSnapshot } from "./render.ts";

/** More are no longer a small diff: the snapshot itself says it better. */
const MAX_LINES = 400;
/** So many that went in a row, and more, are told together. */
const MIN_RUN = 4;

export function renderComparison(compared: ComparedSnapshot, options: RenderOptions = {}): string {
  const { outcome, from, flags, changes } = compared.comparison;
  if (outcome === "first") {
    const how = flags === "" ? "without flags" : `with ${flags}`;
    return `No earlier snapshot ${how} of this page to compare with. Now:\n${renderSnapshot(compared, options)}`;
  }
  if (outcome === "elsewhere")
    return `Another page than in the last snapshot (${from}). Now:\n${renderSnapshot(compared, options)}`;
  const where = flags === "" ? "" : ` in what ${flags} shows`;
  if (outcome === "unchanged") return `unchanged${where}: ${headerOf(compared)}`;
  const header = `${headerOf(compared)}${where && ` · changes${where}`}`;
  return [header, ...linesOf(changes)].join("\n");
}

/** What went in a row is one line: it has no ref that is good for anything. Where all is too much, it is what is left out. */
function linesOf(changes: readonly Change[]): string[] {
  const lines: { text: string; changes: number; isGone: boolean }[] = [];
  for (let at = 0; at < changes.length; ) {
    const run = goneFrom(changes, at);
    const [first] = run;
    if (first && run.length >= MIN_RUN) lines.push({ text: goneText(run), changes: run.length, isGone: true });
    else {
      const change = changes[at] as Change;
      lines.push({ text: changeLine(change), changes: 1, isGone: change.kind === "removed" });
    }
    at += run.length >= MIN_RUN ? run.length : 1;
  }
  const came = lines.filter(({ isGone }) => !isGone).length;
  let room = Math.max(MAX_LINES - came, 0);
  const kept = lines.filter(({ isGone }) => !isGone || room-- > 0).slice(0, MAX_LINES);
  const left = changes.length - kept.reduce((sum, line) => sum + line.changes, 0);
  const more = left > 0 ? [`… ${left} more changes: run \`browse snapshot\` without -D`] : [];
  return [...kept.map(({ text }) => text), ...more];
}

/** The changes from there on that are all of something that went. */
function goneFrom(changes: readonly Change[], from: number): Change[] {
  const end = changes.findIndex(({ kind }, index) => index >= from && kind !== "removed");
  return changes.slice(from, end < 0 ? undefined : end);
}

function goneText(run: readonly Change[]): string {
  const inside = run.reduce((sum, change) => sum + (change.inside ?? 0), 0);
  return `- ${run.length} from ${run[0]?.line} to ${run.at(-1)?.line}${inside > 0 ? ` (and ${inside} inside)` : ""}`;
}

export function changeLine({ kind, line, was, inside, depth }: Change): string {
  switch (kind) {
    case "added":
      return `+ ${"  ".repeat(depth)}${line}`;
    case "removed":
      return `- ${line}${inside ? ` (and ${inside} inside)` : ""}`;
    case "changed":
      return was === undefined ? `~ ${"  ".repeat(depth)}${line}` : `~ ${was} → ${line}`;
    default:
      return `~ ${line} (moved)`;
  }
}
