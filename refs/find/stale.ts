/** What a caller is told about a ref that no longer means what it did. */
import { BrowseError } from "../../errors.ts";
import type { Described, Gone } from "../page/protocol.ts";
import { labelOf, quoted, type Ref } from "../ref_table.ts";

const WHY: Readonly<Record<Gone["why"], string>> = {
  document: "the page navigated",
  removed: "it was removed from the page",
};

/** `stale_ref`. When exactly one element has the role and name now, its ref is offered, never taken. */
export function staleRef(ref: Ref, { why, doc, replacement }: Pick<Gone, "why"> & Partial<Gone>): BrowseError {
  const details: Record<string, unknown> = { ref: ref.id, role: ref.role, name: ref.name, why };
  const message = `${labelOf(ref)} is gone: ${WHY[why]}`;
  if (!replacement || doc === undefined) return new BrowseError("stale_ref", message, { details });
  const next = ref.table.giveDescribed(ref.frame, doc, replacement, "replacement");
  return new BrowseError("stale_ref", message, {
    details: { ...details, replacement: next.id },
    hint: `An element with the same role and name is now ${next.id}; use it if that is what you mean`,
  });
}

/** The element is there but goes by another role or name: a recycled row, or a button that changed its meaning. */
export function renamedRef(ref: Ref, now: Described): BrowseError {
  const next = ref.table.giveDescribed(ref.frame, ref.doc, now, "renamed");
  return new BrowseError("stale_ref", `${labelOf(ref)} is now [${now.role}] ${quoted(now.name)}`, {
    details: { ref: ref.id, role: ref.role, name: ref.name, why: "renamed", replacement: next.id },
    hint: `It is ${next.id} now; use that if it is what you mean`,
  });
}

export function detachedFrameRef(ref: Ref): BrowseError {
  return new BrowseError("stale_ref", `${labelOf(ref)} is gone: its frame left the page`, {
    details: { ref: ref.id, role: ref.role, name: ref.name, why: "frame" },
  });
}
