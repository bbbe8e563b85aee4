/** What clears a page of clutter, and what it answers. Shared, as types only, by both sides. */
import type { Described, DocumentId } from "../protocol.ts";

export type ClutterKind = "ads" | "cookies" | "overlays" | "sticky" | "social";

export interface Cleared {
  kind: ClutterKind;
  /** `unpinned`: it stays on the page, but no longer over it. `unlocked`: it scrolls again. */
  how: "hidden" | "unpinned" | "unlocked";
  element: Described;
}

export interface CleanupOperations {
  cleanup: { params: { kinds: ClutterKind[] }; answer: { doc: DocumentId; cleared: Cleared[]; kept: number } };
  /** Takes back all that `cleanup` did to this document. */
  undoCleanup: { params: Record<string, never>; answer: { doc: DocumentId; restored: number } };
}
