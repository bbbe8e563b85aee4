/** Which frames a tab's current action has touched, and what was last seen to have changed in them. */

import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Changes } from "../page/effects/protocol.ts";
import { untilBlocked } from "./interruptions.ts";
import { PageWork, type WorkLeft } from "./page_work.ts";

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
  work: Map<Frame, PageWork> | undefined;
  /** The page's answer that it watches its document. */
  watching: Promise<unknown>;
}

const ACTION: StateKey<Tab, Action> = {
  make: (tab) => ({
    touched: new Map([[tab.page.mainFrame(), undefined]]),
    work: undefined,
    watching: Promise.resolve(),
  }),
};

/** Forgets the last action's frames. `working`: what the page begins is watched, until `endWork`. */
export function beginAction(tab: Tab, { working }: { working: boolean }): void {
  endWork(tab);
  tab.state.set(ACTION, { touched: new Map(), work: working ? new Map() : undefined, watching: Promise.resolve() });
  touch(tab, tab.page.mainFrame());
}

/** What the action has led to in the pages' scripts and is not over. */
export async function workLeft(tab: Tab): Promise<WorkLeft> {
  const work = workOf(tab);
  const left = await Promise.all(work.map((each) => each.left()));
  const timers = left.flatMap(({ timerMs }) => timerMs ?? []);
  const none = work.length > 0 && left.every((each) => each.none);
  return { none, ...(timers.length > 0 && { timerMs: Math.min(...timers) }) };
}

/** Resolves when what the pages begin is watched, or cannot be. */
export async function workWatched(tab: Tab): Promise<void> {
  await Promise.all(workOf(tab).map((each) => each.begun()));
}

export function endWork(tab: Tab): void {
  for (const each of workOf(tab)) each.end();
  tab.state.get(ACTION).work = undefined;
}

function workOf(tab: Tab): PageWork[] {
  return [...(tab.state.get(ACTION).work?.values() ?? [])];
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
  const { touched, work } = tab.state.get(ACTION);
  touched.set(frame, seen);
  if (work && !work.has(frame)) work.set(frame, new PageWork(frame));
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
