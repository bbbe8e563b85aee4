/** Which frames a tab's current action has touched, and what was last seen to have changed in them. */

import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Changes } from "../page/act/protocol.ts";
import { untilBlocked } from "./interruptions.ts";
import { PageTimers } from "./page_timers.ts";

interface Seen {
  changes: Changes;
  /** By `performance.now()`. */
  at: number;
}

/** What the current action of a tab has to do with. */
interface Action {
  /** The frames that it has touched. */
  touched: Map<Frame, Seen | undefined>;
  /** Of those frames, while what they start is watched. */
  timers: Map<Frame, PageTimers> | undefined;
  /** The page's answer that it watches its document. */
  watching: Promise<unknown>;
}

const ACTION: StateKey<Tab, Action> = {
  make: (tab) => ({
    touched: new Map([[tab.page.mainFrame(), undefined]]),
    timers: undefined,
    watching: Promise.resolve(),
  }),
};

/** Forgets the last action's frames. `timed`: what timers the page sets is watched, until `endTimers`. */
export function beginAction(tab: Tab, { timed }: { timed: boolean }): void {
  endTimers(tab);
  tab.state.set(ACTION, { touched: new Map(), timers: timed ? new Map() : undefined, watching: Promise.resolve() });
  touch(tab, tab.page.mainFrame());
}

/** Milliseconds until the next timer falls due that the action has led to; undefined when none is known. */
export async function untilNextTimer(tab: Tab): Promise<number | undefined> {
  const left = await Promise.all(timersOf(tab).map((each) => each.untilNext()));
  const known = left.filter((ms) => ms !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** Resolves when the page's timers are watched, or cannot be. */
export async function timersWatched(tab: Tab): Promise<void> {
  await Promise.all(timersOf(tab).map((each) => each.begun()));
}

export function endTimers(tab: Tab): void {
  for (const each of timersOf(tab)) each.end();
  tab.state.get(ACTION).timers = undefined;
}

function timersOf(tab: Tab): PageTimers[] {
  return [...(tab.state.get(ACTION).timers?.values() ?? [])];
}

/** `watching`: the page's answer that it watches its document from now on. */
export function noteWatching(tab: Tab, watching: Promise<unknown>): void {
  tab.state.get(ACTION).watching = watching;
}

/**
 * For input that is sent without asking the page anything first: it overtakes the word to watch, since a page that is
 * busy takes input before all else, and nobody would see what it does.
 */
export async function untilWatched(tab: Tab, signal: AbortSignal): Promise<"done" | "blocked"> {
  return await abortable(untilBlocked(tab, tab.state.get(ACTION).watching), signal);
}

/** The action touches the frame; `changes` spares the next one who wants to know them the question. */
export function noteTouched(tab: Tab, frame: Frame, changes?: Changes): void {
  touch(tab, frame, changes && { changes, at: performance.now() });
}

function touch(tab: Tab, frame: Frame, seen?: Seen): void {
  const { touched, timers } = tab.state.get(ACTION);
  touched.set(frame, seen);
  if (timers && !timers.has(frame)) timers.set(frame, new PageTimers(frame));
}

/** The main frame and those the action touched, as long as they are in the page. */
export function touchedFrames(tab: Tab): Frame[] {
  return [...tab.state.get(ACTION).touched.keys()].filter((frame) => !frame.isDetached());
}

/** What was seen in the frame no longer than `maxAgeMs` ago. */
export function lastSeen(tab: Tab, frame: Frame, maxAgeMs: number): Changes | undefined {
  const seen = tab.state.get(ACTION).touched.get(frame);
  return seen && performance.now() - seen.at <= maxAgeMs ? seen.changes : undefined;
}
