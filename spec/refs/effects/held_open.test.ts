import { expect, it } from "vitest";
import type { NetworkEntry } from "../../../browser/capture/network_capture.ts";
import { Ring } from "../../../browser/capture/ring.ts";
import { isHeldOpen } from "../../../refs/effects/held_open.ts";

const NOW = Date.parse("2030-01-01T12:00:00Z");

function asked(url: string, secondsAgo: number, rest: Partial<NetworkEntry> = {}): NetworkEntry {
  const time = new Date(NOW - secondsAgo * 1_000).toISOString();
  return { method: "GET", url, resourceType: "fetch", requestHeaders: {}, time, ...rest };
}

function isHeld(url: string, ...entries: NetworkEntry[]): boolean {
  const ring = new Ring<NetworkEntry>(100);
  for (const entry of entries) ring.push(entry);
  return isHeldOpen({ method: "GET", url }, ring, NOW);
}

it("what was held open before is held open again, whatever its query", () => {
  expect(isHeld("/poll?since=2", asked("/poll?since=1", 30, { durationMs: 25_000 }), asked("/poll?since=2", 0))).toBe(
    true,
  );
  expect(isHeld("/poll", asked("/poll", 8))).toBe(true);
});

it("what was answered the last time is waited for", () => {
  expect(isHeld("/poll", asked("/poll", 0))).toBe(false);
  expect(isHeld("/search?q=a", asked("/search?q=b", 60, { durationMs: 4_000 }), asked("/search?q=a", 0))).toBe(false);
  expect(isHeld("/x", asked("/x", 90, { durationMs: 60_000 }), asked("/x", 20, { durationMs: 300 }))).toBe(false);
});

it("others tell nothing of it", () => {
  expect(isHeld("/api", asked("/poll", 30, { durationMs: 25_000 }))).toBe(false);
  expect(isHeld("/poll", asked("/poll", 30, { durationMs: 25_000, method: "POST" }))).toBe(false);
});
