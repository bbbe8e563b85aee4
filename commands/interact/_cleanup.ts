/** Clearing a tab's page of clutter, in the frame that commands are scoped to. */
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Cleared, ClutterKind } from "../../refs/page/extract/cleanup_protocol.ts";
import { ask } from "../../refs/reader.ts";
import { refsOf } from "../../refs/ref_table.ts";

export interface ClearedElement extends Omit<Cleared, "element"> {
  ref: string;
  role: string;
  name: string;
}

interface CleanupOptions {
  signal: AbortSignal;
}

/** Throws what `ask` throws. */
export async function clearPage(
  tab: Tab,
  kinds: readonly ClutterKind[],
  { signal }: CleanupOptions,
): Promise<{ cleared: ClearedElement[]; kept: number }> {
  const { frame } = tab;
  const { doc, cleared, kept } = await ask(frame, "cleanup", { kinds: [...kinds] }, { signal });
  return {
    cleared: cleared.map(({ kind, how, element }) => {
      const { id, role, name } = refsOf(tab).giveDescribed(frame, doc, element, "cleanup");
      return { kind, how, ref: id, role, name: name || (element.text ?? "") };
    }),
    kept,
  };
}

/** How many changes were taken back. */
export async function restorePage(tab: Tab, { signal }: CleanupOptions): Promise<number> {
  return (await ask(tab.frame, "undoCleanup", {}, { signal })).restored;
}
