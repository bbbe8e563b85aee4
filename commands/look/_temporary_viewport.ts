/** Another size of a tab's viewport for as long as something takes. */

import { type Size, setViewport } from "../../browser/emulation/viewport.ts";
import { runIsolated } from "../../browser/tabs/isolated.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";

/** A page that hangs is not waited for when all that is left is to scroll it back. */
const MAX_SCROLL_BACK_MS = 1_000;

interface TemporaryViewport {
  size: Partial<Size>;
  signal: AbortSignal;
}

/**
 * Runs `look` at that size, then gives the viewport its own one back, and the page its place, also when `look` fails.
 * Throws `unsupported` for a window that sets its own size.
 */
export async function inViewport<T>(tab: Tab, { size, signal }: TemporaryViewport, look: () => Promise<T>): Promise<T> {
  const before = tab.page.viewportSize();
  if (size.width === undefined && size.height === undefined) return await look();
  if (!before) throw new BrowseError("unsupported", "This tab's window sets its own size");
  const place = await runIsolated(tab, () => ({ left: scrollX, top: scrollY }), null, signal);
  try {
    await setViewport(tab, { size: { ...before, ...size } });
    return await look();
  } finally {
    await restore(tab, before, place);
  }
}

async function restore(tab: Tab, size: Size, place: { left: number; top: number }): Promise<void> {
  if (!tab.isOpen) return;
  await setViewport(tab, { size });
  const scrollBack = ({ left, top }: { left: number; top: number }) => scrollTo({ left, top, behavior: "instant" });
  // The page may have gone elsewhere meanwhile.
  await runIsolated(tab, scrollBack, place, AbortSignal.timeout(MAX_SCROLL_BACK_MS)).catch(() => undefined);
}
