/** What is written down and told of each call: when it begins, when it ends, and when it was refused before it began. */
import { randomBytes } from "node:crypto";
import type { EffectReport } from "../../browser/effect_report.ts";
import { type Command, type CommandResult, findCommand, sensitiveOf } from "../../commands/command.ts";
import type { BrowseError } from "../../errors.ts";
import { RECORDED, redactCut, redactParams, redactUrl } from "../../security/secrets/redact.ts";
import { CallMemory } from "../events/call_memory.ts";
import { type ActedOn, type JournalEntry, shownEffect } from "../events/journal.ts";
import { leavesOf, namesIn, shapeOf } from "../events/result_shape.ts";
import { syntaxOf } from "../line/syntax.ts";
import type { Caller, CallOptions } from "./call.ts";
import { nameOf } from "./refusals.ts";

export interface CallRecordPorts {
  record: (entry: JournalEntry) => void;
  publish: (topic: "activity", data: Record<string, unknown>, place: Place) => void;
}

interface Place {
  session?: string;
  tab?: string;
}

/** What became known of a call while it ran. */
export interface CallTrace extends Place {
  effect?: EffectReport;
  elements?: readonly ActedOn[];
  /** What its tab showed at its end. */
  page?: string;
  /** What it answered, secrets redacted. */
  result?: CommandResult;
}

/** A call as it came. */
export interface UncheckedCall {
  caller: Caller;
  name: string;
  params: Record<string, unknown>;
  options: Place;
}

/** A call that begins. */
interface StartedCall {
  command: Command;
  /** Secrets redacted, and no more of it than a record keeps. */
  shownParams: unknown;
  params: Record<string, unknown>;
  caller: Caller;
  options: CallOptions;
}

/** A call that is to be written down at its end. */
export interface CallRecord {
  id: string;
  /** `outcome` is "ok" or the kind of the error, `started` is by `performance.now()`. */
  end: (trace: CallTrace, outcome: string, started: number) => void;
}

export class CallRecorder {
  readonly #ports: CallRecordPorts;
  /** Numbers the calls, so that what is told of one can be put together. */
  #last = 0;
  /** Tells the calls of one daemon from those of the next. */
  readonly #run = randomBytes(2).toString("hex");
  readonly memory = new CallMemory();
  readonly #namesOf = new Map<string, ReadonlySet<string>>();

  constructor(ports: CallRecordPorts) {
    this.#ports = ports;
  }

  /** Tells that the call begins, as a step of `parent` where there is one. */
  started(call: StartedCall, parent?: string): CallRecord {
    const { command, shownParams, caller, options } = call;
    const data = { call: ++this.#last, command: command.name, client: caller.client };
    const id = this.#idOf(data.call);
    this.#ports.publish("activity", { phase: "started", ...data, params: shownParams }, placeOf(options));
    const end: CallRecord["end"] = (trace, outcome, started) => {
      const ms = msSince(started);
      const { elements = [], page } = trace;
      const effect = trace.effect && { effect: shownEffect(trace.effect) };
      const place = placeOf(trace);
      this.#ports.record({
        id,
        ...(parent !== undefined && { parent }),
        time: new Date().toISOString(),
        command: command.name,
        params: shownParams,
        client: caller.client,
        by: nameOf(caller.token),
        ...place,
        ...(page !== undefined && { page: redactUrl(page) }),
        outcome,
        ms,
        ...effect,
        ...(elements.length > 0 && { elements: [...elements] }),
        ...this.#connections(id, call, trace),
      });
      this.#ports.publish("activity", { phase: "ended", ...data, outcome, ms, ...effect }, place);
    };
    return { id, end };
  }

  #idOf(call: number): string {
    return `${this.#run}-${call}`;
  }

  /** What ties the call to others of its session. */
  #connections(
    id: string,
    { command, params }: StartedCall,
    { session = "", result }: CallTrace,
  ): Pick<JournalEntry, "from" | "hidden" | "result"> {
    const from = this.memory.originsOf(session, params);
    const hidden = this.memory.hiddenIn(params, sensitiveOf(command, params));
    const known = { ...(from.length > 0 && { from }), ...(hidden.length > 0 && { hidden }) };
    // Of the calls that hold others, those answered.
    if (!result || command.fromPage === "steps") return known;
    const names = this.#names(command);
    const leaves = leavesOf(result, names);
    // What an answer only says again was known before.
    const given = new Set(leavesOf(params, new Set(Object.keys(params))).map(({ text }) => text));
    this.memory.note(
      session,
      id,
      leaves.filter(({ text }) => !given.has(text)),
    );
    const shape = shapeOf(result, names);
    return { ...known, result: { shape, digest: this.memory.digestOfTexts(leaves, shape) } };
  }

  #names({ name, result }: Command): ReadonlySet<string> {
    const names = this.#namesOf.get(name) ?? namesIn(result);
    this.#namesOf.set(name, names);
    return names;
  }

  /** A call that never began, with its params as they came: of a command that nobody knows, none are written down. */
  refused({ caller, name, params, options }: UncheckedCall, { kind, message }: BrowseError, started: number): void {
    const command = findCommand(name);
    this.#ports.record({
      id: this.#idOf(++this.#last),
      time: new Date().toISOString(),
      command: command?.name ?? "unknown",
      params: command ? shownRaw(command, params) : {},
      refused: redactCut(message, RECORDED.maxText),
      client: caller.client,
      by: nameOf(caller.token),
      ...placeOf(options),
      outcome: kind,
      ms: msSince(started),
    });
  }
}

/** A misspelled name may have a secret to it that its right name would have hidden. */
function shownRaw(command: Command, params: Record<string, unknown>): Record<string, unknown> {
  const known = syntaxOf(command).params;
  const misspelled = Object.keys(params).filter((name) => !known.has(name));
  return redactParams(params, [...sensitiveOf(command, params), ...misspelled], RECORDED);
}

/** Session and tab, of those that there are. */
export function placeOf({ session, tab }: Place): Place {
  return { ...(session !== undefined && { session }), ...(tab !== undefined && { tab }) };
}

function msSince(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
