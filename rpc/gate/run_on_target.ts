/** Runs the handler of a call where it is to work: in the daemon, in a session, or on a tab. */
import { abortable } from "../../abort.ts";
import { captureFor } from "../../browser/capture/lent_capture.ts";
import type { EffectReport } from "../../browser/effect_report.ts";
import type { History } from "../../browser/navigation/replay_history.ts";
import type { Session } from "../../browser/sessions/session.ts";
import type { Sessions } from "../../browser/sessions/sessions.ts";
import { noTab } from "../../browser/tabs/no_such_tab.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { CommandResult } from "../../commands/command.ts";
import type { BaseContext, Daemon, SessionContext, TabContext } from "../../commands/context.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { ActedOn } from "../events/journal.ts";
import type { CallGate, ReadyCall } from "./call_gate.ts";
import { unopened } from "./deadline.ts";
import { knownEffect } from "./known_effect.ts";
import { actsOnWhatIsThere, locate } from "./locate.ts";
import { type NoteElements, type Observe, runOnSession, runOnTab, type TabRun } from "./run_on_tab.ts";
import type { RunningCall } from "./running_call.ts";
import type { TabQueue } from "./tab_queue.ts";

export interface TargetPorts {
  daemon: Daemon;
  sessions: Sessions;
  observe: Observe;
  noteElements: NoteElements;
  /** Keeps the tab to the rules of whoever works on it. */
  protect: (tab: Tab, holder: Token) => Promise<void>;
}

export interface Targeted extends TargetPorts {
  base: BaseContext;
  queue: TabQueue;
  gate: Pick<CallGate, "assertInSight" | "recheck">;
}

interface Outcome {
  result: CommandResult;
  effect?: EffectReport;
}

export async function runOnTarget(call: ReadyCall, running: RunningCall, targeted: Targeted): Promise<Outcome> {
  const { command, params } = call;
  const { signal, trace } = running;
  const { base, daemon, sessions } = targeted;
  if (command.needs === "daemon" || command.browserless?.(params)) {
    return { result: await abortable(Promise.resolve(command.run(base as TabContext, params)), signal) };
  }
  // Its browser may have to be started first.
  running.unmet = () => unopened(daemon.status().browser);
  const { session, tab: named } = await abortable(locate(call, sessions), signal);
  delete running.unmet;
  trace.session = session.name;
  const context: SessionContext = { ...base, session, navigateNewTab: arrivals(call, running, targeted) };
  if (command.needs === "session") {
    const run = async () => await command.run(context as TabContext, params);
    if (command.locksSession) return { result: await runOnSession({ command, session, signal, run }) };
    return { result: await abortable(run(), signal) };
  }
  return await onTab(call, running, { ...targeted, context, session, ...(named && { named }) });
}

interface OnTab extends Targeted {
  context: SessionContext;
  session: Session;
  /** The tab that the call names. */
  named?: Tab;
}

async function onTab(call: ReadyCall, running: RunningCall, where: OnTab): Promise<Outcome> {
  const { command, params } = call;
  const { signal, trace } = running;
  const { base, context, session, named, queue } = where;
  if (!named && actsOnWhatIsThere(call) && !session.hasTabOf(base.holder)) throw noTab(session);
  // Nobody may wait for this call where it waits for others: for its first tab to be opened, say.
  const place = queue.placeOn(named ?? session.current(base.holder));
  const tab = named ?? (await abortable(session.currentTab(base.holder), signal));
  trace.tab = tab.id;
  running.worksOn(tab);
  where.gate.assertInSight(call, tab);
  const protect = async () => await abortable(where.protect(tab, base.holder), signal);
  // The page of a crashed tab takes no rules.
  if (!tab.hasCrashed) await protect();
  const capture = captureFor(tab, base.holder);
  const run = async (atRest: () => Promise<void>) => {
    // Those that were before it on the tab may have led it elsewhere.
    where.gate.recheck(call, tab);
    running.begin();
    const own: TabContext = {
      ...context,
      tab,
      capture,
      atRest,
      // Only those who look into the frame have to hear that it is gone.
      get frame() {
        return tab.frame;
      },
    };
    return await command.run(own, params);
  };
  const onActed = (elements: readonly ActedOn[]) => {
    trace.elements = elements;
  };
  const revive = async (history?: History) => {
    if (!tab.hasCrashed) call.options.notify?.log("warning", `The page of ${tab.id} never answered, and was ended`);
    await session.revive(tab, signal, history);
    await protect();
  };
  const reviving = command.revivesTab && { revive };
  return await runOnTab({ ...tabRun(call, signal, where), effect: call.effect, tab, place, run, onActed, ...reviving });
}

function arrivals(
  call: ReadyCall,
  { signal, trace }: RunningCall,
  ports: TargetPorts,
): SessionContext["navigateNewTab"] {
  return async (tab, run) => {
    const onActed = () => undefined;
    const moving = { ...tabRun(call, signal, ports), effect: "navigation" as const, tab, run, onActed };
    const { result, effect: seen = {} } = await runOnTab(moving);
    const effect = knownEffect(seen, call.caller.token);
    trace.effect = effect;
    return { ...result, effect };
  };
}

function tabRun(
  { command, caller, options }: ReadyCall,
  signal: AbortSignal,
  { observe, noteElements }: TargetPorts,
): Pick<TabRun, "command" | "signal" | "settles" | "shows" | "observe" | "noteElements"> {
  const { noSettle, noChanges } = options;
  // What has changed is told as a snapshot would show it.
  const shows = !noChanges && caller.token.scopes.has("read");
  return { command, signal, settles: !noSettle, shows, observe, noteElements };
}
