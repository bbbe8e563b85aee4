/** Bringing a page into the state that a person would have waited for before taking its image. */
import { runIsolated } from "../../browser/tabs/isolated.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

export interface SettleOptions {
  /** Go once down the page, so that what is loaded when it comes into view is loaded. */
  scrolls: boolean;
  signal: AbortSignal;
}

/** A page that is never done is taken as it is by then. */
const MAX_LOAD_MS = 5_000;
const MAX_SCROLL_MS = 8_000;
const MAX_IMAGES_MS = 5_000;
const MAX_FRAME_MS = 100;
/** Pages that grow as one scrolls have no end: so many windows are gone through. */
const MAX_WINDOWS = 40;

/** Resolves once the page has loaded, and its fonts and images are there, or have had their time. */
export async function settle(tab: Tab, { scrolls, signal }: SettleOptions): Promise<void> {
  // Whatever is still missing then, the image shows.
  await tab.page.waitForLoadState("load", { timeout: MAX_LOAD_MS, signal }).catch(() => undefined);
  signal.throwIfAborted();
  const frameMs = MAX_FRAME_MS;
  if (scrolls) {
    await runIsolated(tab, scrollThrough, { maxMs: MAX_SCROLL_MS, maxWindows: MAX_WINDOWS, frameMs }, signal);
  }
  await runIsolated(tab, untilShown, { maxMs: MAX_IMAGES_MS, frameMs }, signal);
}

interface Scrolling {
  maxMs: number;
  maxWindows: number;
  frameMs: number;
}

/**
 * Goes down window by window, each for two frames so that observers hear of it, and back to where it was. A tab that is
 * in the background draws no frames: none is waited for longer than it would take.
 */
async function scrollThrough({ maxMs, maxWindows, frameMs }: Scrolling): Promise<void> {
  const until = performance.now() + maxMs;
  const start = { left: scrollX, top: scrollY, behavior: "instant" as const };
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, frameMs);
    });
  for (let index = 0; index < maxWindows && performance.now() < until; index++) {
    scrollTo({ left: start.left, top: index * innerHeight, behavior: "instant" });
    await frame();
    await frame();
    // What a script only now puts into the page makes it longer.
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) break;
  }
  scrollTo(start);
  await frame();
}

/** Images that have begun to load, and fonts. Those that fail are done too. */
async function untilShown({ maxMs, frameMs }: { maxMs: number; frameMs: number }): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, maxMs));
  const isAwaited = (image: HTMLImageElement) =>
    !image.complete && (image.loading !== "lazy" || image.currentSrc !== "");
  const images = [...document.images].filter(isAwaited).map(
    (image) =>
      new Promise((resolve) => {
        image.addEventListener("load", resolve, { once: true });
        image.addEventListener("error", resolve, { once: true });
      }),
  );
  await Promise.race([Promise.all([document.fonts.ready, ...images]), late]);
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, 2 * frameMs);
  });
}
