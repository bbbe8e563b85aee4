/** What is written down and told of each call: when it begins, when it ends, and when it was refused before it began. */
import type { EffectReport } from "../../browser/effect_report.ts";
import { type Command, findCommand, sensitiveOf } from "../../commands/command.ts";
import type { BrowseError } from "../../errors.ts";
import { RECORDED, redactCut, redactParams } from "../../security/secrets/redact.ts";
import { type ActedOn, type JournalEntry, shownEffect } from "../events/journal.ts";
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
  caller: Caller;
  options: CallOptions;
}

/** `outcome` is "ok" or the kind of the error, `started` is by `performance.now()`. */
type RecordEnd = (trace: CallTrace, outcome: string, started: number) => void;

export class CallRecorder {
  readonly #ports: CallRecordPorts;
  /** Numbers the calls, so that what is told of one can be put together. */
  #last = 0;

  constructor(ports: CallRecordPorts) {
    this.#ports = ports;
  }

  /** Tells that the call begins; what it gives is to be called at its end. */
  started({ command, shownParams, caller, options }: StartedCall): RecordEnd {
    const data = { call: ++this.#last, command: command.name, client: caller.client };
    this.#ports.publish("activity", { phase: "started", ...data, params: shownParams }, placeOf(options));
    return (trace, outcome, started) => {
      const ms = msSince(started);
      const { elements = [] } = trace;
      const effect = trace.effect && { effect: shownEffect(trace.effect) };
      const place = placeOf(trace);
      this.#ports.record({
        time: new Date().toISOString(),
        command: command.name,
        params: shownParams,
        client: caller.client,
        by: nameOf(caller.token),
        ...place,
        outcome,
        ms,
        ...effect,
        ...(elements.length > 0 && { elements: [...elements] }),
      });
      this.#ports.publish("activity", { phase: "ended", ...data, outcome, ms, ...effect }, place);
    };
  }

  /** A call that never began, with its params as they came: of a command that nobody knows, none are written down. */
  refused({ caller, name, params, options }: UncheckedCall, { kind, message }: BrowseError, started: number): void {
    const command = findCommand(name);
    this.#ports.record({
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
