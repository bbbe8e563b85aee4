/** The size of a tab's viewport and what its screen is like: set through CDP, live, so that no page is loaded again. */
import type { CDPSession, Page } from "playwright";

/** In CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface DeviceMetrics {
  /** Device pixels per CSS pixel. */
  scale: number;
  /** Lays out as a phone's browser does, by the page's viewport meta tag. */
  mobile: boolean;
  /** Reports touch input. */
  touch: boolean;
  /** Of the whole screen, where it is larger than the viewport. */
  screen?: Size;
}

export const PLAIN_SCREEN: DeviceMetrics = { scale: 1, mobile: false, touch: false };

/** A tab, or a page that is to become one. */
export interface ScreenTarget {
  readonly page: Page;
  metrics: DeviceMetrics;
  cdp(): Promise<CDPSession>;
}

/** As many fingers as phones and tablets report. */
const TOUCH_POINTS = 5;

/**
 * Sets the viewport's size, the screen, or both. The driver knows sizes only, and sends a plain screen along with each:
 * what the screen is like is set after it, on our own session, which the browser keeps over every navigation. A plain
 * screen too: an earlier one that is left there would come back with the next image.
 */
export async function setViewport(
  target: ScreenTarget,
  { size, metrics = target.metrics }: { size?: Size; metrics?: DeviceMetrics },
): Promise<void> {
  if (size) await target.page.setViewportSize(size);
  const known = target.page.viewportSize();
  if (!known) return;
  const { width, height } = known;
  const { scale, mobile, touch, screen = known } = metrics;
  const cdp = await target.cdp();
  await cdp.send("Emulation.setDeviceMetricsOverride", {
    width,
    height,
    deviceScaleFactor: scale,
    mobile,
    screenWidth: screen.width,
    screenHeight: screen.height,
    screenOrientation: orientationOf(screen, mobile),
  });
  if (touch !== target.metrics.touch) {
    await cdp.send(
      "Emulation.setTouchEmulationEnabled",
      touch ? { enabled: true, maxTouchPoints: TOUCH_POINTS } : { enabled: false },
    );
  }
  target.metrics = metrics;
}

export function isSame(a: DeviceMetrics, b: DeviceMetrics): boolean {
  return (
    a.scale === b.scale &&
    a.mobile === b.mobile &&
    a.touch === b.touch &&
    a.screen?.width === b.screen?.width &&
    a.screen?.height === b.screen?.height
  );
}

/** A desktop's screen is landscape however it is sized; a phone is held upright when it is higher than wide. */
function orientationOf({ width, height }: Size, mobile: boolean) {
  if (!mobile) return { type: "landscapePrimary" as const, angle: 0 };
  return width > height
    ? { type: "landscapePrimary" as const, angle: 90 }
    : { type: "portraitPrimary" as const, angle: 0 };
}
