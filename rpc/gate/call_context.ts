/** What a call's handler is given: who calls, what it may reach, and ways to tell of what it does. */
import type { Sessions } from "../../browser/sessions/sessions.ts";
import type { BaseContext, Daemon } from "../../commands/context.ts";
import { ownsTab } from "../../security/tokens/ownership.ts";
import { checkHop } from "../../security/urls/hop.ts";
import { isInDomains, loadRules } from "../../security/urls/load_rules.ts";
import { streamOf } from "./answers.ts";
import { folderOf, holderOf } from "./call.ts";
import type { GatePorts, ReadyCall } from "./call_gate.ts";
import { checkAddress } from "./check_params.ts";
import { logLine } from "./guard/log_line.ts";
import type { RunningCall } from "./running_call.ts";

export interface ContextPorts
  extends Pick<GatePorts, "policy">,
    Pick<BaseContext, "artifactsDir" | "confirmations" | "agree" | "prepare"> {
  daemon: Daemon;
  sessions: Sessions;
}

export function contextOf(call: ReadyCall, running: RunningCall, ports: ContextPorts): BaseContext {
  const { caller, options } = call;
  const { signal, timeoutMs, files } = running;
  const { daemon, sessions, policy, artifactsDir, confirmations, agree, prepare } = ports;
  const stream = streamOf(call);
  const holder = holderOf(caller);
  return {
    holder,
    owns: (tab) => ownsTab(holder, tab) && isInDomains(tab.page.url(), holder.domains),
    mayKnow: (url) => isInDomains(url, holder.domains),
    daemon,
    sessions,
    signal,
    timeoutMs,
    waitsFor: (tell) => {
      running.unmet = tell;
    },
    cwd: folderOf(caller, policy),
    artifactsDir,
    log: (level, message) => options.notify?.log(level, logLine(message, options)),
    progress: (done, total, unit) => options.notify?.progress(done, total, unit),
    ...(stream && { stream }),
    ...(options.notify?.follow && { follow: options.notify.follow }),
    save: async (path, content) => await files.save(path, content),
    checkHop: async (url) =>
      await checkHop(url, { ...loadRules(holder), resolvedElsewhere: daemon.status().proxy !== undefined }),
    checkUrl: (url) => checkAddress(url, caller, policy),
    found: (finding) => running.findings.push(finding),
    confirmations,
    ask: async (question) => await options.notify?.ask?.(question),
    agree,
    lent: (token) => running.lend(token),
    prepare,
  };
}
