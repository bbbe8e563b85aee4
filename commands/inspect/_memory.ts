/** What the daemon, its browser and its tabs take up. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { within } from "../../abort.ts";
import { debuggerSessions } from "../../browser/driver/inside.ts";
import type { Sessions } from "../../browser/sessions/sessions.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

export interface MemoryReport {
  /** Of the daemon, in bytes. */
  daemon: { pid: number; rss: number; heapUsed: number; external: number };
  processes: ProcessMemory[];
  tabs: TabMemory[];
  /** Open sessions of the DevTools protocol; absent when the driver does not say. */
  debuggerSessions?: number;
}

export interface ProcessMemory {
  pid: number;
  /** As Chromium calls it: `browser`, `renderer`, `GPU`… */
  type: string;
  /** Resident bytes, what is shared with others included; absent when the system does not say. */
  rss?: number;
}

export interface TabMemory {
  tab: string;
  session: string;
  url: string;
  /** Bytes; absent when the tab does not answer. */
  heapUsed?: number;
  heapTotal?: number;
  documents?: number;
  nodes?: number;
  listeners?: number;
  /** Entries kept. */
  buffers: { console: number; network: number; dialogs: number };
}

/** A page that hangs does not hold the others' figures back. */
const MAX_TAB_MS = 2_000;

export async function memoryReport(sessions: Sessions): Promise<MemoryReport> {
  const { rss, heapUsed, external } = process.memoryUsage();
  const browser = await sessions.browser();
  const tabs = sessions.all.flatMap((session) => session.tabs);
  const [processes, measured] = await Promise.all([
    browser ? processesOf(browser) : [],
    Promise.all(tabs.map((tab) => tabMemory(tab))),
  ]);
  const sessionCount = browser && debuggerSessions(browser);
  return {
    daemon: { pid: process.pid, rss, heapUsed, external },
    processes,
    tabs: measured,
    ...(sessionCount !== undefined && { debuggerSessions: sessionCount }),
  };
}

async function processesOf(browser: Browser): Promise<ProcessMemory[]> {
  const cdp = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    const sizes = await residentBytes(processInfo.map(({ id }) => id));
    return processInfo.map(({ id, type }) => {
      const rss = sizes.get(id);
      return { pid: id, type, ...(rss !== undefined && { rss }) };
    });
  } finally {
    await cdp.detach().catch(() => undefined);
  }
}

/** By pid; without those that have ended, and empty where the system does not say. */
async function residentBytes(pids: readonly number[]): Promise<Map<number, number>> {
  if (process.platform === "win32") return new Map();
  if (process.platform !== "linux") return await residentBytesByPs(pids);
  const read = pids.map(async (pid): Promise<[number, number][]> => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? [] : [[pid, Number(kilobytes) * 1_024]];
  });
  return new Map((await Promise.all(read)).flat());
}

async function residentBytesByPs(pids: readonly number[]): Promise<Map<number, number>> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,rss=", "-p", pids.join(",")]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(rows.map(([pid = 0, kilobytes = 0]) => [pid, kilobytes * 1_024]));
}

async function tabMemory(tab: Tab): Promise<TabMemory> {
  const { console, network, dialogs } = tab.capture;
  const size = ({ total, first }: { total: number; first: number }) => total - first + 1;
  return {
    tab: tab.id,
    session: tab.session,
    url: tab.url,
    ...(await heapOf(tab)),
    buffers: { console: size(console), network: size(network), dialogs: size(dialogs) },
  };
}

type Heap = Pick<TabMemory, "heapUsed" | "heapTotal" | "documents" | "nodes" | "listeners">;

async function heapOf(tab: Tab): Promise<Heap> {
  // A dialog stops the page, which does not answer before it is answered itself.
  if (!tab.isOpen || tab.dialogs.open) return {};
  // A tab that closes meanwhile has no heap.
  const heap = askHeap(tab).catch(() => ({}));
  return await within(MAX_TAB_MS, heap, {});
}

async function askHeap(tab: Tab): Promise<Heap> {
  const cdp = await tab.cdp();
  const [{ usedSize, totalSize }, counters] = await Promise.all([
    cdp.send("Runtime.getHeapUsage"),
    cdp.send("Memory.getDOMCounters"),
  ]);
  const { documents, nodes, jsEventListeners } = counters;
  return { heapUsed: usedSize, heapTotal: totalSize, documents, nodes, listeners: jsEventListeners };
}
