/** The downloads of a tab that have begun and are neither complete nor failed. They need no page: they go on when it is left or closed. */
import type { DownloadRecord } from "../effect_report.ts";
import type { StateKey } from "../state_of.ts";
import type { Tab } from "../tabs/tab.ts";

const RUNNING: StateKey<Tab, Set<DownloadRecord>> = { make: () => new Set() };

/** Those that whoever works in the tab now may know of, in the order in which they began. */
export function runningDownloads(tab: Tab): DownloadRecord[] {
  return [...tab.past.get(RUNNING)];
}

export function noteBegun(tab: Tab, record: DownloadRecord): void {
  tab.past.get(RUNNING).add(record);
}

export function noteEnded(tab: Tab, record: DownloadRecord): void {
  tab.past.get(RUNNING).delete(record);
}
