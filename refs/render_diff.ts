/** A comparison with the last snapshot as lines of text. */
import type { ComparedSnapshot } from "./compare.ts";
import type { Change } from "./diff.ts";
import { headerOf, type RenderOptions, renderSnapshot } from "./render.ts";

/** More are no longer a small diff: the snapshot itself says it better. */
const MAX_LINES = 400;

export function renderComparison(compared: ComparedSnapshot, options: RenderOptions = {}): string {
  const { outcome, from, comparedAs, changes } = compared.comparison;
  if (outcome === "first")
    return `No earlier snapshot of this tab to compare with. Now:\n${renderSnapshot(compared, options)}`;
  if (outcome === "elsewhere")
    return `Another page than in the last snapshot (${from}). Now:\n${renderSnapshot(compared, options)}`;
  const how =
    comparedAs === undefined
      ? ""
      : ` · compared ${comparedAs ? `as ${comparedAs}` : "without flags"}, like the last one`;
  const header = `${headerOf(compared)}${how}`;
  if (outcome === "unchanged") return `unchanged: ${header}`;
  const lines = changes.slice(0, MAX_LINES).map(changeLine);
  const left = changes.length - lines.length;
  if (left > 0) lines.push(`… ${left} more changes: run \`browse snapshot\` without -D`);
  return [header, ...lines].join("\n");
}

export function changeLine({ kind, line, was, inside, depth }: Change): string {
  switch (kind) {
    case "added":
      return `+ ${"  ".repeat(depth)}${line}`;
    case "removed":
      return `- ${line}${inside ? ` (and ${inside} inside)` : ""}`;
    case "changed":
      return `~ ${was} → ${line}`;
    default:
      return `~ ${line} (moved)`;
  }
}
