/**
 * What a call has to pass before it runs, and what is told of those that do not: rate, token, command, params, scope,
 * ownership, paths, addresses, the user's policy. Nothing else in the code decides any of it.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Tab } from "../../browser/tabs/tab.ts";
import { type Command, type Effect, sensitiveOf } from "../../commands/command.ts";
import type { Confirming } from "../../commands/confirming.ts";
import type { Agreement } from "../../commands/context.ts";
import { BrowseError, toBrowseError } from "../../errors.ts";
import { leakFinding, leakOf } from "../../security/content/canary_leak.ts";
import type { Finding } from "../../security/content/finding.ts";
import { RECORDED, redactParams } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { assertDomain } from "../../security/urls/load_rules.ts";
import { parseParams } from "../line/params.ts";
import { commandNamed } from "../line/split_argv.ts";
import { assertOffered, authorize } from "./authorize.ts";
import type { Caller, CallOptions } from "./call.ts";
import { type CallRecorder, placeOf, type UncheckedCall } from "./call_record.ts";
import { checkHosts, checkOut, checkPaths, checkUrls, type PolicyPorts } from "./check_params.ts";
import { askedParams } from "./consent/asked_params.ts";
import { Confirmations, type ConfirmedCall } from "./consent/confirmations.ts";
import { fileStates } from "./consent/file_states.ts";
import { addressesIn, type Decide, type Judgment, judgmentOf } from "./consent/judgment.ts";
import { untilAllowed } from "./consent/person.ts";
import { markersIn } from "./guard/datamark.ts";
import { assertNoCanary, type OutgoingPorts } from "./guard/outgoing.ts";
import { inSessionMeant, withSessionsMeant, withTabMeant } from "./meant.ts";
import type { ShownPlaces } from "./places.ts";
import { CallRates } from "./rate.ts";
import { nameOf, type RefusalPorts, Refusals } from "./refusals.ts";

export interface GatePorts extends RefusalPorts, OutgoingPorts {
  sessions: ShownPlaces;
  decide: Decide;
  policy: PolicyPorts;
  /** Does the token still hold? */
  isLive: (token: Token) => boolean;
  recorder: CallRecorder;
}

/** A call that has passed every check that needs no page. */
export interface ReadyCall {
  command: Command;
  params: Record<string, unknown>;
  /** As the journal and the `activity` topic may show them. */
  shownParams: unknown;
  effect: Effect;
  judgment: Judgment;
  caller: Caller;
  options: CallOptions;
  /** The file that takes the answer. */
  out?: string;
  /** What the content guard found in its params. */
  findings: readonly Finding[];
  /** Milliseconds until its turn, of those of its rate. Default 0. */
  waitMs?: number;
}

type Where = { session?: string; tab?: string };

export class CallGate {
  readonly #ports: GatePorts;
  readonly #rates = new CallRates();
  readonly #refusals: Refusals;
  readonly #told = new WeakSet<BrowseError>();
  readonly #confirmations = new Confirmations();

  constructor(ports: GatePorts) {
    this.#ports = ports;
    this.#refusals = new Refusals(ports);
  }

  /** Throws what there is to refuse before anything runs. */
  admit(caller: Caller, name: string, raw: Record<string, unknown>, given: CallOptions): ReadyCall {
    const options = inSessionMeant(given, caller);
    return this.#telling({ caller, name, params: raw, options }, () => {
      const waitMs = this.#rates.enter(caller.token);
      return { ...this.#check(caller, name, raw, options), waitMs };
    });
  }

  /** The same for a step of another call, which is counted when its turn comes. */
  admitStep(caller: Caller, name: string, raw: Record<string, unknown>, given: CallOptions): ReadyCall {
    const options = inSessionMeant(given, caller);
    const step = { caller, name, params: raw, options, isStep: true };
    return this.#telling(step, () => this.#check(caller, name, raw, options));
  }

  /** Resolves when the step may run. Throws `rate_limited` when too many wait already. */
  async turn({ caller, command, params, options }: ReadyCall): Promise<void> {
    const { signal } = options;
    const step = { caller, name: command.name, params, options, isStep: true };
    await this.#wait(
      caller,
      this.#telling(step, () => this.#rates.reserve(caller.token)),
      signal,
    );
  }

  async #wait(caller: Caller, waitMs: number, signal: AbortSignal): Promise<void> {
    // Of a wait that is broken off, the reason is what there is to tell.
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    this.#assertLive(caller);
  }

  /**
   * Resolves when its turn has come, and a person has allowed the call or none has to: those of a skill that nobody has
   * approved wait for it here, a minute at most. Throws `forbidden` and `confirmation_required`.
   */
  async allowed(call: ReadyCall): Promise<void> {
    const { caller, judgment, options, waitMs = 0 } = call;
    const { approval } = caller;
    if (waitMs > 0) await this.#wait(caller, waitMs, options.signal);
    if (!approval || judgment.decision !== "confirm") return;
    const started = performance.now();
    try {
      const tell = (waiting: { id: string; expiresAt: number }) =>
        this.#refusals.tellOfWaiting(call, waiting, placeOf(options));
      await untilAllowed(confirmedOf(call), {
        approval,
        asked: askedParams(call, approval),
        confirmations: this.#confirmations,
        tell,
        signal: options.signal,
      });
      this.#assertLive(caller);
    } catch (thrown) {
      const error = toBrowseError(thrown);
      this.#refused({ caller, name: call.command.name, params: call.params, options }, error, started);
      throw error;
    }
  }

  /** Uses up what a person has allowed. Throws `confirmation_required`. */
  begin(call: ReadyCall): void {
    if (call.judgment.decision === "confirm") this.#confirmations.use(confirmedOf(call));
  }

  /** Uses up the yes of a person to what the call has made. Throws `confirmation_required`. */
  beginKeeping(call: ReadyCall, { shown, whole }: Pick<Agreement, "shown" | "whole">): void {
    const { token, command, params, by, urls } = confirmedOf(call);
    this.#confirmations.use({ token, command, params, by, urls, shown, whole });
  }

  /** Throws `blocked_url` for a tab that shows what its caller may not see. */
  assertInSight({ caller }: ReadyCall, tab: Tab): void {
    const url = tab.page.url();
    // What a caller gave as a document is of no site.
    if (url !== tab.loaded?.url) assertDomain(url, caller.token.domains);
  }

  /** What could not be known before the tab was, or has changed since: to be asked when the tab is the call's alone. */
  recheck(call: ReadyCall, tab: Tab): void {
    this.assertInSight(call, tab);
    const url = tab.page.url();
    const { urls } = call.judgment;
    if (urls.includes(url)) return;
    if (this.#judge(call, [...urls, url]).decision !== "confirm") return;
    // Whoever said yes was shown another page. It is asked for as it would be by the same call now.
    const judgment = { urls: [...addressesIn(call.command, call.params), url], decision: "confirm" as const };
    this.#confirmations.use(confirmedOf({ ...call, judgment }));
  }

  /** What waits for a person, as this caller may see and answer it. */
  confirmationsFor({ token }: Caller): Confirming {
    return {
      pending: (id) => this.#confirmations.pending(id, token),
      answer: (id, isAllowed) => this.#confirmations.answer(id, token, isAllowed),
      use: (command, params) =>
        this.#confirmations.use({ token, command, params, by: nameOf(token), urls: [], whole: params }),
    };
  }

  /** Tells of a call that was refused while it ran; the journal has it as any other. */
  tellOf({ caller, command }: ReadyCall, error: BrowseError, where: Where): void {
    // The content guard has told of what it withholds.
    const isTold = this.#told.has(error) || error.kind === "blocked_content";
    if (isTold || !this.#refusals.isDenial(error)) return;
    this.#refusals.tell(caller, command.name, error, placeOf(where));
  }

  /** Tells of a load that was refused in a tab, of which a call may be told as well. */
  tellOfLoad({ id, session, holder }: Tab, error: BrowseError): void {
    this.#told.add(error);
    if (!holder) return;
    if (error.kind === "blocked_content") {
      const leak = leakOf(error);
      this.#ports.onLeak?.({ ...leak, finding: leakFinding(leak), token: holder.id, session, tab: id });
    }
    const caller: Caller = { token: holder, via: holder.isRemote ? "tunnel" : "local", client: "a page" };
    this.#refused({ caller, name: "a page", params: {}, options: { session, tab: id } }, error, performance.now());
  }

  #check(caller: Caller, name: string, raw: Record<string, unknown>, options: CallOptions): ReadyCall {
    const { sessions, policy } = this.#ports;
    this.#assertLive(caller);
    const command = commandNamed(name);
    assertOffered(caller, command);
    const parsed = withSessionsMeant(command, parseParams(command, withTabMeant(command, raw, options)), caller);
    const isUnsafe = options.unsafe && { unsafe: true };
    const effect = authorize({ caller, command, params: parsed, ...placeOf(options), ...isUnsafe }, sessions);
    const named = checkHosts(command, checkPaths(command, parsed, caller, policy), caller);
    const params = checkUrls(command, named, caller, policy);
    assertNoCanary({ command, params, token: caller.token, place: placeOf(options) }, this.#ports);
    const shownParams = redactParams(params, sensitiveOf(command, params), RECORDED);
    const out = options.print?.out;
    const file = out === undefined ? {} : { out: checkOut(out, { command, params, caller }, policy) };
    const findings = markersIn({ command, params, token: caller.token });
    const call = { command, params, shownParams, effect, caller, options, findings, ...file };
    const judgment = this.#judge(call, this.#urlsOf(call));
    // What a person is asked for call by call waits for the answer: see `allowed`.
    if (judgment.decision === "confirm" && !caller.approval) {
      this.#confirmations.require(confirmedOf({ ...call, judgment }));
    }
    this.#tellOfFindings(call);
    return { ...call, judgment };
  }

  #tellOfFindings({ command, caller, options, findings }: Omit<ReadyCall, "judgment">): void {
    for (const finding of findings) {
      options.notify?.log("warning", finding.says);
      // The steps of a call are told of themselves.
      if (command.category !== "flow") this.#refusals.tellOfFinding(caller, command.name, finding, placeOf(options));
    }
  }

  #judge(call: Omit<ReadyCall, "judgment">, urls: readonly string[]): Judgment {
    return judgmentOf(call, urls, this.#ports.decide);
  }

  #urlsOf({ command, params, caller, options }: Omit<ReadyCall, "judgment">): string[] {
    const shown = command.needs === "tab" ? this.#ports.sessions.shown(caller.token, options) : undefined;
    return [...addressesIn(command, params), ...(shown === undefined ? [] : [shown])];
  }

  #assertLive({ token }: Caller): void {
    if (!this.#ports.isLive(token)) throw new BrowseError("unauthorized", "The token is no longer valid");
  }

  /** A step that is wrong is told of with the call that it is part of; one that is not allowed, by itself. */
  #telling<T>(call: UncheckedCall & { isStep?: boolean }, check: () => T): T {
    const started = performance.now();
    try {
      return check();
    } catch (thrown) {
      const error = toBrowseError(thrown);
      if (!call.isStep || this.#refusals.isDenial(error)) this.#refused(call, error, started);
      throw error;
    }
  }

  /** Of a flood of denials, not every one is written down. */
  #refused(call: UncheckedCall, error: BrowseError, started: number): void {
    const { caller, name, options } = call;
    if (this.#refusals.isDenial(error) && !this.#refusals.tell(caller, name, error, placeOf(options))) return;
    // What carries a canary may do so in a way that the redactor does not see through.
    const shown = error.kind === "blocked_content" ? { ...call, params: {} } : call;
    this.#ports.recorder.refused(shown, error, started);
  }
}

/** Bound to all that it was called with, what its files hold, and where: a yes to one call is none to another. */
function confirmedOf({ command, params, shownParams, caller, options, out, judgment }: ReadyCall): ConfirmedCall {
  const { session, tab } = options;
  return {
    token: caller.token,
    command: command.name,
    params: shownParams,
    by: nameOf(caller.token),
    urls: judgment.urls,
    whole: [params, session, tab, out, judgment.urls, fileStates(command, params)],
  };
}
