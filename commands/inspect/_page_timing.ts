/** How fast the page came and how it behaves since, from what the browser has recorded by itself. */
import { runIsolated } from "../../browser/tabs/isolated.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

/** Milliseconds from the start of the navigation, but for `type` and the sizes. */
export interface LoadTiming {
  /** `navigate`, `reload`, `back_forward`, `prerender`. */
  type: string;
  redirectMs: number;
  dnsMs: number;
  connectMs: number;
  /** From the request to the first byte of the answer. */
  requestMs: number;
  responseMs: number;
  /** When the document was parsed. */
  domInteractiveMs: number;
  domContentLoadedMs: number;
  /** Absent until it has happened. */
  loadMs?: number;
  /** Bytes over the network, headers included; 0 from a cache. */
  transferBytes: number;
  /** What the document has loaded beside itself. */
  resources: { count: number; transferBytes: number };
}

export interface Vitals {
  /** Time to first byte: from the start of the navigation, redirects included. */
  ttfbMs?: number;
  firstContentfulPaintMs?: number;
  largestContentfulPaintMs?: number;
  /** What was largest: `img#hero`. */
  largestElement?: string;
  /** Without unit: the worst burst of layout shifts nobody asked for. */
  cumulativeLayoutShift: number;
  /** Absent without slow enough interactions: the browser keeps those from 104 ms. */
  interactionToNextPaintMs?: number;
  interactions: number;
}

export async function loadTiming(tab: Tab, signal: AbortSignal): Promise<LoadTiming | undefined> {
  return (await runIsolated(tab, readLoadTiming, undefined, signal)) ?? undefined;
}

/** Definitions: https://web.dev/articles/vitals */
export async function vitals(tab: Tab, signal: AbortSignal): Promise<Vitals> {
  const { ttfb, paint, largest, shifts, events, interactions } = await runIsolated(
    tab,
    readRecorded,
    undefined,
    signal,
  );
  const interaction = slowestInteraction(events, interactions);
  return {
    ...(ttfb !== null && { ttfbMs: Math.round(ttfb) }),
    ...(paint !== null && { firstContentfulPaintMs: Math.round(paint) }),
    ...(largest && { largestContentfulPaintMs: Math.round(largest.startTime) }),
    ...(largest?.element && { largestElement: largest.element }),
    cumulativeLayoutShift: Math.round(worstBurst(shifts) * 10_000) / 10_000,
    ...(interaction !== undefined && { interactionToNextPaintMs: Math.round(interaction) }),
    interactions,
  };
}

/** Shifts less than a second apart, in at most five seconds, are one burst. */
function worstBurst(shifts: readonly Shift[]): number {
  let [worst, sum, first, last] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const { startTime, value } of shifts) {
    const isNext = startTime - last < 1_000 && startTime - first < 5_000;
    if (!isNext) first = startTime;
    sum = isNext ? sum + value : value;
    last = startTime;
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** Milliseconds; of many interactions one in fifty is left out. An interaction is as slow as the slowest of its events. */
function slowestInteraction(events: readonly SlowEvent[], interactions: number): number | undefined {
  const durations = new Map<number, number>();
  for (const { interaction, duration } of events) {
    durations.set(interaction, Math.max(durations.get(interaction) ?? 0, duration));
  }
  const slowestFirst = [...durations.values()].sort((one, other) => other - one);
  return slowestFirst[Math.min(slowestFirst.length - 1, Math.floor(interactions / 50))];
}

/** Runs in our world of the page, as text. */
function readLoadTiming(): LoadTiming | null {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!entry) return null;
  const whole = (ms: number) => Math.round(ms * 10) / 10;
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  return {
    type: entry.type,
    redirectMs: whole(entry.redirectEnd - entry.redirectStart),
    dnsMs: whole(entry.domainLookupEnd - entry.domainLookupStart),
    connectMs: whole(entry.connectEnd - entry.connectStart),
    requestMs: whole(entry.responseStart - entry.requestStart),
    responseMs: whole(entry.responseEnd - entry.responseStart),
    domInteractiveMs: whole(entry.domInteractive),
    domContentLoadedMs: whole(entry.domContentLoadedEventEnd),
    ...(entry.loadEventEnd > 0 && { loadMs: whole(entry.loadEventEnd) }),
    transferBytes: entry.transferSize,
    resources: {
      count: resources.length,
      transferBytes: resources.reduce((sum, { transferSize }) => sum + transferSize, 0),
    },
  };
}

interface Shift {
  startTime: number;
  value: number;
}

interface SlowEvent {
  interaction: number;
  duration: number;
}

/** What the browser has recorded, in milliseconds since the start of the navigation. */
interface Recorded {
  ttfb: number | null;
  paint: number | null;
  largest: { startTime: number; element: string } | null;
  shifts: Shift[];
  events: SlowEvent[];
  interactions: number;
}

/** Runs in our world of the page, as text. */
function readRecorded(): Recorded {
  type Entry = PerformanceEntry & {
    value?: number;
    hadRecentInput?: boolean;
    interactionId?: number;
    element?: Element | null;
  };
  const recorded = (type: string): Entry[] => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type, buffered: true });
    const entries = observer.takeRecords() as Entry[];
    observer.disconnect();
    return entries;
  };
  const nameOf = (element: Element | null | undefined) =>
    element ? `${element.localName}${element.id && `#${element.id}`}` : "";
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const largest = recorded("largest-contentful-paint").at(-1);
  const { interactionCount = 0 } = performance as Performance & { interactionCount?: number };
  return {
    ttfb: navigation?.responseStart ?? null,
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    largest: largest ? { startTime: largest.startTime, element: nameOf(largest.element) } : null,
    shifts: recorded("layout-shift").flatMap(({ startTime, value = 0, hadRecentInput }) => {
      return hadRecentInput ? [] : [{ startTime, value }];
    }),
    events: [...recorded("first-input"), ...recorded("event")].flatMap(({ interactionId = 0, duration }) => {
      return interactionId > 0 ? [{ interaction: interactionId, duration }] : [];
    }),
    interactions: interactionCount,
  };
}
