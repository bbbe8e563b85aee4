/** Which frames a tab's current action has touched, and what was last seen to have changed in them. */
import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Changes } from "../page/act/protocol.ts";
import { untilBlocked } from "./interruptions.ts";
import { PageTimers } from "./page_timers.ts";

interface Seen {
  changes: Changes;
  /** By `performance.now()`. */
  at: number;
}

const touched = new WeakMap<Tab, Map<Frame, Seen | undefined>>();
/** Of the frames that an action has touched, when it is watched for what they start. */
const timers = new WeakMap<Tab, Map<Frame, PageTimers>>();
const watches = new WeakMap<Tab, Promise<unknown>>();

/** Forgets the last action's frames. `timed`: what timers the page sets is watched, until `endTimers`. */
export function beginAction(tab: Tab, { timed }: { timed: boolean }): void {
  endTimers(tab);
  touched.set(tab, new Map());
  if (timed) timers.set(tab, new Map());
  touch(tab, tab.page.mainFrame());
}

/** Milliseconds until the next timer falls due that the action has led to; undefined when none is known. */
export async function untilNextTimer(tab: Tab): Promise<number | undefined> {
  const left = await Promise.all([...(timers.get(tab)?.values() ?? [])].map((each) => each.untilNext()));
  const known = left.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** Resolves when the page's timers are watched, or cannot be. */
export async function timersWatched(tab: Tab): Promise<void> {
  await Promise.all([...(timers.get(tab)?.values() ?? [])].map((each) => each.begun()));
}

export function endTimers(tab: Tab): void {
  for (const each of timers.get(tab)?.values() ?? []) each.end();
  timers.delete(tab);
}

/** `watching`: the page's answer that it watches its document from now on. */
export function noteWatching(tab: Tab, watching: Promise<unknown>): void {
  watches.set(tab, watching);
}

/**
 * For input that is sent without asking the page anything first: it overtakes the word to watch, since a page that is
 * busy takes input before all else, and nobody would see what it does.
 */
export async function untilWatched(tab: Tab, signal: AbortSignal): Promise<"done" | "blocked"> {
  return await abortable(untilBlocked(tab, watches.get(tab) ?? Promise.resolve()), signal);
}

/** The action touches the frame; `changes` spares the next one who wants to know them the question. */
export function noteTouched(tab: Tab, frame: Frame, changes?: Changes): void {
  touch(tab, frame, changes && { changes, at: performance.now() });
}

function touch(tab: Tab, frame: Frame, seen?: Seen): void {
  touched.get(tab)?.set(frame, seen);
  const watched = timers.get(tab);
  if (watched && !watched.has(frame)) watched.set(frame, new PageTimers(frame));
}

/** The main frame and those the action touched, as long as they are in the page. */
export function touchedFrames(tab: Tab): Frame[] {
  const frames = touched.get(tab)?.keys() ?? [tab.page.mainFrame()];
  return [...frames].filter((frame) => !frame.isDetached());
}

/** What was seen in the frame no longer than `maxAgeMs` ago. */
export function lastSeen(tab: Tab, frame: Frame, maxAgeMs: number): Changes | undefined {
  const seen = touched.get(tab)?.get(frame);
  return seen && performance.now() - seen.at <= maxAgeMs ? seen.changes : undefined;
}
