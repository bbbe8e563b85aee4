import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { loadTiming, vitals } from "./_page_timing.ts";

const TimingSchema = v.strictObject({
  type: v.string(),
  redirectMs: v.number(),
  dnsMs: v.number(),
  connectMs: v.number(),
  requestMs: v.pipe(v.number(), v.description("From the request to the first byte of the answer")),
  responseMs: v.number(),
  domInteractiveMs: v.pipe(v.number(), v.description("Since the start of the navigation, like the next two")),
  domContentLoadedMs: v.number(),
  loadMs: v.exactOptional(v.number()),
  transferBytes: v.number(),
  resources: v.strictObject({ count: v.number(), transferBytes: v.number() }),
});

const VitalsSchema = v.strictObject({
  ttfbMs: v.exactOptional(v.number()),
  firstContentfulPaintMs: v.exactOptional(v.number()),
  largestContentfulPaintMs: v.exactOptional(v.number()),
  largestElement: v.exactOptional(v.string()),
  cumulativeLayoutShift: v.number(),
  interactionToNextPaintMs: v.exactOptional(
    v.pipe(v.number(), v.description("Absent when every interaction took less than 104 ms, or there were none")),
  ),
  interactions: v.number(),
});

/** Up to the first a value is good, above the second poor (https://web.dev/articles/defining-core-web-vitals-thresholds). */
const THRESHOLDS = {
  ttfb: [800, 1_800],
  fcp: [1_800, 3_000],
  lcp: [2_500, 4_000],
  cls: [0.1, 0.25],
  inp: [200, 500],
} as const;

export default defineCommand({
  name: "perf",
  category: "inspect",
  summary: "Show how fast the page loaded, and its web vitals",
  description: "Measured by the browser itself, in the main frame, since the page was last loaded.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    vitals: v.exactOptional(
      v.pipe(v.boolean(), v.description("Show LCP, CLS, INP, FCP and TTFB instead of the load's steps")),
    ),
  }),
  result: v.strictObject({ timing: v.exactOptional(TimingSchema), vitals: v.exactOptional(VitalsSchema) }),
  examples: ["browse perf", "browse perf --vitals"],
  async run({ tab, signal }, params) {
    if (params.vitals) return { vitals: await vitals(tab, signal) };
    const timing = await loadTiming(tab, signal);
    if (timing) return { timing };
    throw new BrowseError("unsupported", "The browser has recorded no load of this page", {
      hint: "Go to an http or https page first",
    });
  },
  render({ timing, vitals: measured }) {
    return timing ? timingText(timing) : measured ? vitalsText(measured) : "";
  },
});

function timingText(timing: v.InferOutput<typeof TimingSchema>): string {
  const { resources, loadMs } = timing;
  return [
    `redirects ${timing.redirectMs} ms, DNS ${timing.dnsMs} ms, connection ${timing.connectMs} ms`,
    `request ${timing.requestMs} ms, response ${timing.responseMs} ms (${timing.transferBytes} bytes)`,
    `document parsed at ${timing.domInteractiveMs} ms, DOMContentLoaded at ${timing.domContentLoadedMs} ms`,
    loadMs === undefined ? "still loading" : `loaded at ${loadMs} ms`,
    `${resources.count} resources (${resources.transferBytes} bytes)`,
  ].join("\n");
}

function vitalsText(measured: v.InferOutput<typeof VitalsSchema>): string {
  const { ttfbMs, firstContentfulPaintMs, largestContentfulPaintMs, largestElement, interactions } = measured;
  const inp = measured.interactionToNextPaintMs;
  const counted = `(${interactions} ${interactions === 1 ? "interaction" : "interactions"})`;
  const fast = interactions > 0 ? `INP below 104 ms good ${counted}` : "INP not measured: no interactions yet";
  return [
    `TTFB ${rated(ttfbMs, "ms", THRESHOLDS.ttfb)}`,
    `FCP ${rated(firstContentfulPaintMs, "ms", THRESHOLDS.fcp)}`,
    `LCP ${rated(largestContentfulPaintMs, "ms", THRESHOLDS.lcp)}${largestElement ? ` (${largestElement})` : ""}`,
    `CLS ${rated(measured.cumulativeLayoutShift, "", THRESHOLDS.cls)}`,
    inp === undefined ? fast : `INP ${rated(inp, "ms", THRESHOLDS.inp)} ${counted}`,
  ].join("\n");
}

function rated(value: number | undefined, unit: string, [good, poor]: readonly [number, number]): string {
  if (value === undefined) return "not measured";
  const rating = value <= good ? "good" : value <= poor ? "needs improvement" : "poor";
  return `${value}${unit && ` ${unit}`} ${rating}`;
}
