/** Runs a handler on its tab: one at a time, never behind a dialog, and with a report of what it did. */

import { abortable } from "../../abort.ts";
import type { DialogRecord, EffectReport } from "../../browser/effect_report.ts";
import { PageHung } from "../../browser/navigation/hung_page.ts";
import { RefusedLoads } from "../../browser/navigation/refused_loads.ts";
import type { History } from "../../browser/navigation/replay_history.ts";
import type { Session } from "../../browser/sessions/session.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { PlaceInQueue } from "../../browser/tabs/tab_lock.ts";
import type { Command, CommandResult, Effect } from "../../commands/command.ts";
import type { ActedOn } from "../events/journal.ts";

/** Sees what an action does, from before it begins. */
export interface EffectObserver extends Disposable {
  /** The elements that the action is done to, as they become known. */
  readonly actedOn: readonly ActedOn[];
  /** Resolves once what it started has come to rest. */
  rest(signal: AbortSignal): Promise<void>;
  /** The same, and what came of it all. */
  settle(signal: AbortSignal): Promise<EffectReport>;
  /** As far as it is known already. */
  soFar(): EffectReport;
}

export interface TabRun<Result = CommandResult> {
  command: Command;
  effect: Effect;
  tab: Tab;
  signal: AbortSignal;
  /** In the tab's queue, where it has one already. */
  place?: PlaceInQueue | undefined;
  /** Is what the action starts to be waited for? */
  settles: boolean;
  /** Is it to say which lines of the page have changed? */
  shows: boolean;
  run: (atRest: () => Promise<void>) => Promise<Result>;
  /** Brings the tab back when it has crashed or hangs, with the history that it had; absent for what needs its page. */
  revive?: (history?: History) => Promise<void>;
  observe: Observe;
  noteElements: NoteElements;
  /** Given the list that the elements it is done to, or reads, are added to. */
  onActed: (elements: readonly ActedOn[]) => void;
}

export interface Ran<Result> {
  result: Result;
  effect?: EffectReport;
}

interface ObserveOptions {
  signal: AbortSignal;
  kind: "page" | "navigation";
  settles: boolean;
  shows: boolean;
}

/** The list that the elements are added to which the call of this signal looks up. */
export type NoteElements = (tab: Tab, signal: AbortSignal) => readonly ActedOn[];

export type Observe = (tab: Tab, how: ObserveOptions) => EffectObserver;

export interface SessionRun {
  command: Command;
  session: Session;
  signal: AbortSignal;
  run: () => Promise<CommandResult>;
}

/** How long an abandoned handler may keep its tab before the next call gets in. */
const ABANDONED_MS = 2_000;

export async function runOnTab<Result>(call: TabRun<Result>): Promise<Ran<Result>> {
  const { command, tab, signal } = call;
  const release = command.locksTab === false ? () => {} : await (call.place ?? tab.lock.queue()).turn(signal);
  let work: Promise<unknown> = Promise.resolve();
  try {
    const reviving = tab.hasCrashed ? call.revive?.() : undefined;
    if (reviving) {
      work = reviving.catch(() => undefined);
      await abortable(reviving, signal);
    }
    if (!command.worksInCrash || !tab.hasCrashed) tab.assertOpen();
    const blocked = command.worksInDialog ? undefined : tab.dialogs.openError(`Cannot run "${command.spelling}"`);
    if (blocked) throw blocked;
    // A script for a page that is on its way elsewhere waits in the browser, where nobody can call it off.
    if (command.effect === "code") await abortable(tab.pendingNavigation.untilOver(signal), signal);
    const running = leavingHung(call);
    work = running.catch(() => undefined);
    return await unlessBlocked(call, abortable(running, signal));
  } finally {
    releaseAfter(work, release);
  }
}

/** Runs a handler when the work on each tab of the session has ended, and holds off all other work until it has. */
export async function runOnSession({ command, session, signal, run }: SessionRun): Promise<CommandResult> {
  const releases = [await session.lock.acquire(signal)];
  let work: Promise<unknown> = Promise.resolve();
  try {
    // Always in the order in which they were opened: two of these never wait for each other.
    for (const tab of session.tabs) releases.push(await tab.lock.acquire(signal));
    for (const { id, dialogs } of session.tabs) {
      const blocked = dialogs.openError(`Cannot run "${command.spelling}": in ${id}`);
      if (blocked) throw blocked;
    }
    const running = run();
    work = running.catch(() => undefined);
    return await abortable(running, signal);
  } finally {
    for (const release of releases) releaseAfter(work, release);
  }
}

/** What is to leave a page that never ends goes on in a new one. */
async function leavingHung<Result>(call: TabRun<Result>): Promise<Ran<Result>> {
  try {
    return await reportingRefusals(call);
  } catch (error) {
    if (!(error instanceof PageHung) || !call.revive || call.signal.aborted) throw error;
    await call.revive(error.history);
    return await reportingRefusals(call);
  }
}

/** What the tab should not have loaded is not answered with; what it was kept from is told. */
async function reportingRefusals<Result>(call: TabRun<Result>): Promise<Ran<Result>> {
  using refused = new RefusedLoads(call.tab);
  const answer = await reportingEffect(call);
  const leaving = await refused.leaving();
  if (leaving) throw leaving;
  if (!answer.effect || refused.urls.length === 0) return answer;
  const { nothing: _, watchedMs: __, ...effect } = answer.effect;
  return { ...answer, effect: { ...effect, refused: refused.urls } };
}

async function reportingEffect<Result>(call: TabRun<Result>): Promise<Ran<Result>> {
  const { effect: kind, signal } = call;
  if (kind !== "page" && kind !== "navigation") {
    call.onActed(call.noteElements(call.tab, signal));
    return { result: await call.run(noWait) };
  }
  const settles = call.settles && kind === "page";
  using observer = call.observe(call.tab, { signal, kind, settles, shows: settles && call.shows });
  call.onActed(observer.actedOn);
  const result = await call.run(async () => {
    if (call.settles) await observer.rest(signal);
  });
  const effect = call.settles ? await observer.settle(signal) : observer.soFar();
  return { result, effect: kind === "navigation" ? besidesArrival(effect, call.command) : effect };
}

async function noWait(): Promise<void> {}

/** Where a navigation command arrived is its answer already. */
function besidesArrival(effect: EffectReport, { namesBrokenOff }: Command): EffectReport {
  const {
    navigated: _,
    status: __,
    unloaded: ___,
    nothing: ____,
    watchedMs: _____,
    brokenOff = [],
    emptyAnswers: ______,
    ...rest
  } = effect;
  // Its own load only asks.
  const sent = namesBrokenOff ? [] : brokenOff.filter(({ method }) => method !== "GET");
  return { ...rest, ...(sent.length > 0 && { brokenOff: sent }) };
}

/** A dialog that waits for an answer would hold the call until its deadline; it is told at once instead. */
async function unlessBlocked<T>({ command, tab }: Pick<TabRun, "command" | "tab">, running: Promise<T>): Promise<T> {
  if (command.worksInDialog) return await running;
  const { promise: blocked, reject } = Promise.withResolvers<never>();
  const onDialog = (record: DialogRecord) => {
    if (record.outcome === "open") reject(tab.dialogs.openError(`"${command.spelling}" is not finished`));
  };
  tab.events.on("dialog", onDialog);
  try {
    return await Promise.race([running, blocked]);
  } finally {
    tab.events.off("dialog", onDialog);
  }
}

/** The tab is free when the handler has really ended, or has had its grace after being given up on. */
function releaseAfter(work: Promise<unknown>, release: () => void): void {
  const timer = setTimeout(release, ABANDONED_MS);
  void work.finally(() => {
    clearTimeout(timer);
    release();
  });
}
