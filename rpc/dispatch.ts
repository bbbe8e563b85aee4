/**
 * The one function that every call goes through: CLI, RPC, batch, chain, and whatever comes later. A rule that must
 * hold holds because it is enforced here from the command's metadata.
 */
import type { EffectReport } from "../browser/effect_report.ts";
import type { Session } from "../browser/session.ts";
import type { Sessions } from "../browser/sessions.ts";
import type { Tab } from "../browser/tab.ts";
import { untilAborted } from "../browser/tab_lock.ts";
import {
  authorityOf,
  type BaseContext,
  type Command,
  type CommandResult,
  type Effect,
  type TabContext,
} from "../commands/command.ts";
import type { Daemon } from "../commands/daemon.ts";
import { effectText } from "../commands/effect.ts";
import { createFile } from "../security/create_file.ts";
import { checkHop } from "../security/hop.ts";
import { redactParams } from "../security/redact.ts";
import { commandNamed, parseArgv } from "./argv.ts";
import { authorize } from "./authorize.ts";
import type { Answer, Caller, CallOptions } from "./call.ts";
import { CallFiles } from "./call_files.ts";
import { checkAddress, checkOut, checkPaths, checkUrls, type PolicyPorts, writePolicy } from "./check_params.ts";
import { BrowseError } from "./errors.ts";
import type { JournalEntry } from "./journal.ts";
import { parseParams } from "./params.ts";
import { fileContent, print } from "./print.ts";
import { type EffectObserver, runOnSession, runOnTab } from "./run_on_tab.ts";

export interface DispatchPorts {
  daemon: Daemon;
  sessions: Sessions;
  policy: PolicyPorts;
  observe: (tab: Tab) => EffectObserver;
  /** The driver's errors in our words. */
  translate: (error: unknown) => BrowseError;
  record: (entry: JournalEntry) => void;
  publish: (topic: "activity", data: Record<string, unknown>, where: { session?: string; tab?: string }) => void;
  logFault: (command: string, error: BrowseError) => void;
}

/** A call that has passed every check that needs no page. */
interface ReadyCall {
  command: Command;
  params: Record<string, unknown>;
  /** As the journal and the `activity` topic may show them. */
  shownParams: unknown;
  effect: Effect;
  caller: Caller;
  options: CallOptions;
  /** The file that takes the answer. */
  out?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_SESSION = "default";

export class Dispatcher {
  readonly #ports: DispatchPorts;
  readonly #running = new Set<AbortController>();
  #browserGone: BrowseError | undefined;

  constructor(ports: DispatchPorts) {
    this.#ports = ports;
  }

  /** Runs one call. Rejects with `BrowseError` only. */
  async call(caller: Caller, name: string, params: Record<string, unknown>, options: CallOptions): Promise<Answer> {
    return await this.#run(this.#prepare(caller, name, params, options));
  }

  /** The browser ended by itself: every running call ends with `error`, whatever the driver makes of it. */
  abandon(error: BrowseError): void {
    this.#browserGone = error;
    for (const controller of this.#running) controller.abort(error);
  }

  /** Resolves, validates and authorises; throws what there is to refuse before anything runs. */
  #prepare(caller: Caller, name: string, raw: Record<string, unknown>, options: CallOptions): ReadyCall {
    const command = commandNamed(name);
    const parsed = parseParams(command, raw);
    const effect = authorize(caller, command, parsed);
    const params = checkUrls(
      command,
      checkPaths(command, parsed, caller, this.#ports.policy),
      caller,
      this.#ports.policy,
    );
    const shownParams = redactParams(params, command.sensitive ?? []);
    const out = options.print?.out;
    const file = out === undefined ? {} : { out: checkOut(out, caller, this.#ports.policy) };
    return { command, params, shownParams, effect, caller, options, ...file };
  }

  async #run(call: ReadyCall): Promise<Answer> {
    const started = performance.now();
    const trace: CallTrace = {};
    this.#publishStart(call);
    try {
      const answer = await this.#withDeadline(call, trace);
      this.#record(call, trace, "ok", started);
      return answer;
    } catch (error) {
      const told = this.#browserGone ?? this.#ports.translate(error);
      if (told.kind === "internal") this.#ports.logFault(call.command.name, told);
      this.#record(call, trace, told.kind, started);
      throw told;
    }
  }

  async #withDeadline(call: ReadyCall, trace: CallTrace): Promise<Answer> {
    const timeoutMs = timeoutOf(call);
    const controller = new AbortController();
    const { signal } = controller;
    const files = this.#filesOf(call, signal);
    const timer = setTimeout(() => controller.abort(timeoutError(call.command, timeoutMs)), timeoutMs);
    const onCancelled = () => controller.abort(call.options.signal.reason);
    if (call.options.signal.aborted) onCancelled();
    call.options.signal.addEventListener("abort", onCancelled, { once: true });
    this.#running.add(controller);
    try {
      if (call.effect !== "none") await call.options.notify?.accepted();
      const { result, effect } = await this.#runOnTarget(call, { signal, timeoutMs, trace, files });
      if (effect) trace.effect = effect;
      return await this.#print(call, answerOf(call, effect ? { ...result, effect } : result, effect));
    } catch (error) {
      files.discard();
      // Whatever the driver says of an aborted operation, the reason for the abort is what the caller should hear.
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      call.options.signal.removeEventListener("abort", onCancelled);
      this.#running.delete(controller);
    }
  }

  async #print({ command, options, out, params }: ReadyCall, answer: Answer): Promise<Answer> {
    if (!options.print) return answer;
    if (out === undefined) {
      const printed = { ...answer, ...(command.isWhole && { isWhole: true }) };
      return { ...answer, text: print(printed, options.print) };
    }
    const bytes = await this.#save(out, fileContent(answer, options.print), params);
    return { ...answer, text: `Wrote ${bytes} bytes to ${out}` };
  }

  async #save(path: string, content: string | Uint8Array, { force }: Record<string, unknown>): Promise<number> {
    return await createFile(path, content, { made: this.#ports.policy.made, force: force === true });
  }

  #filesOf({ caller, params }: ReadyCall, signal: AbortSignal): CallFiles {
    return new CallFiles({ policy: writePolicy(caller, this.#ports.policy, params.force === true), signal });
  }

  async #runOnTarget(call: ReadyCall, running: RunningCall): Promise<{ result: CommandResult; effect?: EffectReport }> {
    const { command, params, options } = call;
    const { signal, trace } = running;
    const base = this.#baseContext(call, running);
    if (command.needs === "daemon" || command.browserless?.(params)) {
      return { result: await untilAborted(Promise.resolve(command.run(base as TabContext, params)), signal) };
    }
    const { session, tab: named } = await untilAborted(this.#locate(options), signal);
    trace.session = session.name;
    const sessionContext = { ...base, session };
    if (command.needs === "session") {
      const run = async () => await command.run(sessionContext as TabContext, params);
      if (command.locksSession) return { result: await runOnSession({ command, session, signal, run }) };
      return { result: await untilAborted(run(), signal) };
    }
    const tab = named ?? (await untilAborted(session.currentTab(), signal));
    trace.tab = tab.id;
    const context: TabContext = {
      ...sessionContext,
      tab,
      // Only those who look into the frame have to hear that it is gone.
      get frame() {
        return tab.frame;
      },
    };
    const run = async () => await command.run(context, params);
    return await runOnTab({ command, effect: call.effect, tab, signal, run, observe: this.#ports.observe });
  }

  async #locate({ session, tab }: CallOptions): Promise<{ session: Session; tab?: Tab }> {
    const { sessions } = this.#ports;
    if (tab === undefined) return { session: await sessions.get(session ?? DEFAULT_SESSION) };
    const found = sessions.findTab(tab);
    return { session: sessions.sessionOf(found), tab: found };
  }

  #baseContext(call: ReadyCall, { signal, timeoutMs, files }: RunningCall): BaseContext {
    const { caller, options } = call;
    const stream = streamOf(call);
    return {
      daemon: this.#ports.daemon,
      sessions: this.#ports.sessions,
      signal,
      timeoutMs,
      cwd: caller.cwd ?? this.#ports.policy.projectDir,
      log: (level, message) => options.notify?.log(level, message),
      progress: (done, total, unit) => options.notify?.progress(done, total, unit),
      ...(stream && { stream }),
      save: async (path, content) => await files.save(path, content),
      checkHop: async (url) =>
        await checkHop(url, {
          privateAllowed: caller.via === "local",
          resolvedElsewhere: this.#ports.daemon.status().proxy !== undefined,
        }),
      checkUrl: (url) => checkAddress(url, caller, this.#ports.policy),
      prepare: (argv) => {
        const { command, params, globals } = parseArgv(argv);
        const inner: CallOptions = { ...options, ...globals, signal };
        delete inner.notify;
        delete inner.print;
        const ready = this.#prepare(caller, command, params, inner);
        const { session, tab } = globals;
        const target = { ...(session !== undefined && { session }), ...(tab !== undefined && { tab }) };
        return { command: ready.command, target, run: async () => await this.#run(ready) };
      },
    };
  }

  #publishStart({ command, shownParams, caller }: ReadyCall): void {
    const data = { phase: "started", command: command.name, params: shownParams, client: caller.client };
    this.#ports.publish("activity", data, {});
  }

  #record(call: ReadyCall, trace: CallTrace, outcome: string, started: number): void {
    const { command, shownParams, caller } = call;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    this.#ports.record({
      time: new Date().toISOString(),
      command: command.name,
      params: shownParams,
      client: caller.client,
      ...trace,
      outcome,
      ms,
    });
    this.#ports.publish(
      "activity",
      { phase: "ended", command: command.name, outcome, ms, client: caller.client },
      trace,
    );
  }
}

/** Where a plain answer may be printed piece by piece; undefined where it is wanted whole. */
function streamOf({ command, options, out }: ReadyCall): ((text: string) => void) | undefined {
  const isWhole = command.output !== "plain" || options.print?.format !== "text" || out !== undefined;
  return isWhole ? undefined : options.notify?.print;
}

/** A call that has begun. */
interface RunningCall {
  signal: AbortSignal;
  timeoutMs: number;
  trace: CallTrace;
  files: CallFiles;
}

/** What became known of a call while it ran, for the journal. */
interface CallTrace {
  session?: string;
  tab?: string;
  effect?: EffectReport;
}

function answerOf({ command, params }: ReadyCall, result: CommandResult, effect: EffectReport | undefined): Answer {
  const { output } = authorityOf(command, params);
  const safe = output === "secret" ? (redactParams(result, []) as CommandResult) : result;
  let text: string | undefined;
  return {
    command: command.name,
    result: safe,
    hasFailed: command.hasFailed?.(safe) ?? false,
    // Programs take the result: setting thousands of lines for them would cost as much as reading the page.
    get text() {
      text ??= `${command.render(safe, params)}${effect ? effectText(effect) : ""}`;
      return text;
    },
  };
}

function timeoutOf({ command, params, options }: ReadyCall): number {
  const own = typeof command.timeoutMs === "function" ? command.timeoutMs(params) : command.timeoutMs;
  return Math.min(options.timeoutMs ?? own ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

function timeoutError(command: Command, timeoutMs: number): BrowseError {
  return new BrowseError("timeout", `"${command.name}" did not finish in ${timeoutMs} ms`, { details: { timeoutMs } });
}
