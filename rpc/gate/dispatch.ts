/**
 * The one function that every call goes through: CLI, RPC, batch, chain, and whatever comes later. A rule that must
 * hold holds because it is enforced here from the command's metadata.
 */

import { abortable } from "../../abort.ts";
import type { RefusedLoad } from "../../browser/navigation/refused_loads.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { CommandResult } from "../../commands/command.ts";
import type { Agreement, BaseContext, PreparedCall } from "../../commands/context.ts";
import { BrowseError, toBrowseError } from "../../errors.ts";
import { artifactsIn } from "../../security/files/file_location.ts";
import { diskFull, FREE_STATE_DISK, isDiskFull } from "../../security/files/private_file.ts";
import { artifactsOf } from "../../security/tokens/artifacts.ts";
import type { Token } from "../../security/tokens/token.ts";
import { parseArgv } from "../line/argv.ts";
import { assertInStep } from "../line/global_flags.ts";
import { printingOfStep } from "../line/print.ts";
import { takesSnapshot, withSnapshot } from "../line/snapshot_after.ts";
import { type AdvicePort, advised } from "./advising.ts";
import { answerOf, printed, safeResult } from "./answers.ts";
import { assertKept } from "./assert_kept.ts";
import type { Answer, Caller, CallOptions } from "./call.ts";
import { contextOf } from "./call_context.ts";
import { CallFiles } from "./call_files.ts";
import { CallGate, type GatePorts, type ReadyCall } from "./call_gate.ts";
import { placeOf } from "./call_record.ts";
import { isPrivateFile, writePolicy } from "./check_params.ts";
import { UNWOKEN } from "./deadline.ts";
import type { ContentGuard } from "./guard/content_guard.ts";
import { datamarked } from "./guard/datamark.ts";
import { knownEffect } from "./known_effect.ts";
import { placesIn } from "./places.ts";
import { runOnTarget, type TargetPorts } from "./run_on_target.ts";
import { RunningCall } from "./running_call.ts";
import { TabQueue } from "./tab_queue.ts";

export interface DispatchPorts extends Omit<GatePorts, "sessions">, TargetPorts {
  guard: ContentGuard;
  /** Nobody is advised when absent. */
  advice?: AdvicePort;
  /** Resolves once a death of the browser or of one of its tabs that has happened by now has been told. */
  untilDeathsTold: () => Promise<unknown>;
  /** The driver's errors in our words. */
  translate: (error: unknown) => BrowseError;
  logFault: (command: string, error: BrowseError) => void;
}

export class Dispatcher {
  readonly #ports: DispatchPorts;
  readonly #gate: CallGate;
  readonly #running = new Set<RunningCall>();
  #browserGone: BrowseError | undefined;

  constructor(ports: DispatchPorts) {
    this.#ports = ports;
    this.#gate = new CallGate({ ...ports, sessions: placesIn(ports.sessions) });
  }

  /** Runs one call. Rejects with `BrowseError` only. */
  async call(caller: Caller, name: string, params: Record<string, unknown>, options: CallOptions): Promise<Answer> {
    const call = this.#gate.admit(caller, name, params, options);
    // Before its time begins to run.
    await this.#gate.allowed(call);
    return await this.#run(call);
  }

  /** Tells of a load that was refused, whoever caused it. */
  tellOfLoad(tab: Tab, load: RefusedLoad): void {
    this.#gate.tellOfLoad(tab, this.#ports.translate(load.error));
  }

  /** The token is no longer valid: what runs for it ends now. */
  revoke(token: Token): void {
    const error = new BrowseError("unauthorized", "The token of this call has been revoked");
    for (const call of this.#running) if (call.token === token.id) call.abort(error);
  }

  /** The browser ended by itself: every running call ends with `error`, whatever the driver makes of it. */
  abandon(error: BrowseError): void {
    this.#browserGone = error;
    for (const call of this.#running) call.abort(error);
  }

  async #run(call: ReadyCall, parent = this.#runningWith(call.caller.token)): Promise<Answer> {
    const record = this.#ports.recorder.started(call, parent?.id);
    using running = new RunningCall(call, record.id, (signal) => this.#filesOf(call, signal));
    this.#running.add(running);
    parent?.beginStep(running);
    try {
      this.#gate.begin(call);
      const answer = await this.#execute(call, running);
      record.end(running.trace, "ok", running.started);
      return answer;
    } catch (error) {
      running.files.discard();
      const told = await this.#ports.guard.error(running.seen, await this.#outcomeOf(error, running));
      if (told.kind === "internal") this.#ports.logFault(call.command.name, told);
      this.#gate.tellOf(call, told, running.trace);
      record.end(running.trace, told.kind, running.started);
      throw told;
    } finally {
      this.#running.delete(running);
      parent?.endStep(running);
    }
  }

  /** The call that runs what has this token. */
  #runningWith(token: Token): RunningCall | undefined {
    return token.kind === "skill" ? [...this.#running].find((running) => running.hasLent(token)) : undefined;
  }

  async #execute(call: ReadyCall, running: RunningCall): Promise<Answer> {
    // Before it counts as begun.
    await this.#wakeSessions(call, running);
    using queue = new TabQueue(call, this.#ports.sessions, running.signal);
    await this.#ports.guard.kept(running.seen);
    if (call.command.endsWithCaller) call.options.endWithCaller?.();
    if (call.effect !== "none") await call.options.notify?.accepted();
    // A token may have been revoked meanwhile: nothing is begun for it.
    running.signal.throwIfAborted();
    const look = this.#lookAfter(call);
    const { result, effect: seen } = await runOnTarget(call, running, {
      ...this.#ports,
      queue,
      base: this.#contextOf(call, running),
      gate: this.#gate,
    });
    const effect = seen && knownEffect(seen, call.caller.token);
    if (effect) running.trace.effect = effect;
    running.answered(safeResult(call, result));
    // The tabs of a browser that dies close, too.
    if (effect?.closed) await this.#ports.untilDeathsTold();
    running.signal.throwIfAborted();
    if (effect) assertKept(call.command, effect);
    const answer = await this.#answer(call, running, effect ? { ...result, effect } : result);
    const ports = { files: running.files, artifactsDir: this.#artifactsDirOf(call) };
    if (!look) return await printed(call, answer, ports);
    // It is done: nothing that comes now makes it unknown.
    running.end();
    const tab = call.command.showsTab ? String(result.id) : running.trace.tab;
    return await printed(call, withSnapshot(answer, await this.#seen(look, tab, running)), ports);
  }

  /** As its caller may have it. */
  async #answer(call: ReadyCall, running: RunningCall, result: CommandResult): Promise<Answer> {
    const told = await this.#ports.guard.result(running.seen, safeResult(call, result));
    const { origin, marks, cameFrom, signal } = running;
    const answer = answerOf(call, datamarked(call, told), { origin, marks });
    const { advice } = this.#ports;
    return advice ? await advised(answer, { call, cameFrom, signal }, advice) : answer;
  }

  /** The snapshot that its answer is to go on with, held against everything before anything is done. */
  #lookAfter({ command, caller, options }: ReadyCall): ReadyCall | undefined {
    const { snapshot, notify: _, print: __, ...shared } = options;
    if (!snapshot) return undefined;
    if (takesSnapshot(command)) return this.#gate.admitStep(caller, "snapshot", snapshot, shared);
    throw new BrowseError("invalid_params", `"${command.spelling}" leads nowhere that a snapshot could show`, {
      hint: "Call `snapshot` by itself",
      details: { param: "snapshot" },
    });
  }

  async #seen(look: ReadyCall, tab: string | undefined, running: RunningCall): Promise<Answer | BrowseError> {
    try {
      await this.#gate.turn(look);
      const options = { ...look.options, timeoutMs: running.leftMs, ...(tab && { tab }) };
      return await this.#run({ ...look, options }, running);
    } catch (error) {
      return toBrowseError(error);
    }
  }

  async #outcomeOf(error: unknown, running: RunningCall): Promise<BrowseError> {
    const { translate, untilDeathsTold } = this.#ports;
    const thrown = translate(error);
    // The browser and its driver write below the state folder, and have no word for this.
    const isFull = thrown.kind === "internal" && isDiskFull(this.#ports.policy.stateDir);
    const known = isFull ? diskFull(`"${running.name}" failed`, error, FREE_STATE_DISK) : thrown;
    const reason = await running.reasonFor(known, untilDeathsTold);
    return running.outcomeOf(this.#browserGone ?? translate(reason));
  }

  #artifactsDirOf({ caller }: ReadyCall): string {
    return artifactsOf(artifactsIn(this.#ports.policy.stateDir), caller.token);
  }

  #filesOf(call: ReadyCall, signal: AbortSignal): CallFiles {
    const { policy } = this.#ports;
    const isPrivate = (path: string) => isPrivateFile(path, call, policy);
    return new CallFiles({ policy: writePolicy(call, policy), isPrivate, signal });
  }

  /** A call of the user's own may name any tab that an earlier daemon had. */
  async #wakeSessions({ caller, command }: ReadyCall, running: RunningCall): Promise<void> {
    if (caller.token.tabs !== "all" || command.category === "daemon") return;
    running.unmet = () => UNWOKEN;
    await abortable(this.#ports.sessions.wake(caller.token), running.signal);
    delete running.unmet;
  }

  #contextOf(call: ReadyCall, running: RunningCall): BaseContext {
    return contextOf(call, running, {
      ...this.#ports,
      artifactsDir: this.#artifactsDirOf(call),
      confirmations: this.#gate.confirmationsFor(call.caller),
      agree: async (agreement) => await this.#agree(call, agreement),
      prepare: (argv) => this.#prepareStep(call, argv, running),
    });
  }

  /** Only at the user's own terminal does who calls say yes too. */
  async #agree(call: ReadyCall, agreement: Agreement): Promise<void> {
    const { caller, options, command } = call;
    const { shown, question } = agreement;
    if (caller.token.kind !== "root") return this.#gate.beginKeeping(call, agreement);
    const answer = await options.notify?.ask?.(`${shown}\n${question} [y/N] `);
    if (answer === undefined) {
      throw new BrowseError("forbidden", `Only a person at a terminal can agree to what "${command.spelling}" keeps`, {
        hint: "Run it in a terminal, not in a script",
        details: { terminal: false },
      });
    }
    if (/^y(es)?$/i.test(answer.trim())) return;
    throw new BrowseError("forbidden", `"${command.spelling}" was not agreed to`, { hint: "Nothing of it was done" });
  }

  /** A step of another call: held against everything now, run when its turn has come. */
  #prepareStep({ caller, options }: ReadyCall, argv: readonly string[], parent: RunningCall): PreparedCall {
    const { command, params, globals } = parseArgv(argv);
    assertInStep(globals);
    const { notify: _, print: __, snapshot: ___, ...shared } = options;
    const printing = printingOfStep(globals);
    const inner: CallOptions = { ...shared, ...globals, signal: parent.signal, ...(printing && { print: printing }) };
    const ready = this.#gate.admitStep(caller, command, params, inner);
    const run = async () => {
      await this.#gate.turn(ready);
      await this.#gate.allowed(ready);
      const answer = await this.#run(ready, parent);
      parent.marks.push(...answer.segments.flatMap(({ mark }) => mark ?? []));
      return answer;
    };
    const { out } = ready;
    const places = { target: placeOf(globals), place: placeOf(ready.options) };
    return { command: ready.command, ...places, ...(out !== undefined && { out }), run };
  }
}
