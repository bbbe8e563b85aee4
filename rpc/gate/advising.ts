/** Advice about the host that a call has led to, beside its answer: for those who asked for it, and once. */

import type { EffectReport } from "../../browser/effect_report.ts";
import type { CommandResult } from "../../commands/command.ts";
import { headOf } from "../../security/tokens/family.ts";
import type { Token } from "../../security/tokens/token.ts";
import { hostAt } from "../../security/urls/host_name.ts";
import { isInDomains } from "../../security/urls/load_rules.ts";
import type { Advice } from "../../skills/notes/advice.ts";
import { withSegment } from "./answers.ts";
import type { Answer, CallOptions } from "./call.ts";
import type { ReadyCall } from "./call_gate.ts";
import type { ToldHosts } from "./told_hosts.ts";

/** Where there is advice. */
export interface AdvicePort {
  /** `late`: it cannot be told now. Never rejects. */
  about(host: string, asking: { by: string; signal: AbortSignal }): Promise<Advice | undefined | "late">;
  count(host: string): Promise<string | undefined>;
}

interface Asked {
  token: Token;
  told: ToldHosts;
  signal: AbortSignal;
}

/** Of a page that is shown; undefined where there is none, the connection has it, or it cannot be had in time. */
export async function adviceAt(url: string, { token, told, signal }: Asked, port: AdvicePort) {
  const host = isInDomains(url, token.domains) ? hostAt(url) : undefined;
  if (host === undefined || !told.isNew(host)) return undefined;
  const advice = await port.about(host, { by: headOf(token).name, signal });
  if (advice !== "late") return advice;
  told.forget(host);
  return undefined;
}

/** The answer with what is known of where its call has led: as typed advice, or in a line on a terminal. */
export async function advised(
  answer: Answer,
  { call, cameFrom, signal }: { call: ReadyCall; cameFrom: string | undefined; signal: AbortSignal },
  port: AdvicePort,
): Promise<Answer> {
  const { caller, options } = call;
  const url = caller.via === "local" ? arrivedAt(call, answer.result) : undefined;
  if (url === undefined) return answer;
  if (options.told) {
    const advice = await adviceAt(url, { token: caller.token, told: options.told, signal }, port);
    return advice ? { ...answer, result: { ...answer.result, advice } } : answer;
  }
  const hint = tellsInText(options) ? await hintAt(url, cameFrom, caller.token, port) : undefined;
  return hint === undefined ? answer : withSegment(answer, { text: `\n${hint}` });
}

/** The address that the call has led to; undefined where it has led nowhere. */
function arrivedAt({ command, effect: kind }: ReadyCall, result: CommandResult): string | undefined {
  const { navigated } = (result.effect ?? {}) as EffectReport;
  const isArrival = kind === "navigation" || command.showsTab === true;
  return navigated ?? (isArrival && typeof result.url === "string" ? result.url : undefined);
}

function tellsInText({ print }: CallOptions): boolean {
  return print?.format === "text" && print.out === undefined;
}

async function hintAt(url: string, cameFrom: string | undefined, { domains, scopes }: Token, port: AdvicePort) {
  const host = hostAt(url);
  const isNew = host !== undefined && host !== hostAt(cameFrom ?? "") && isInDomains(url, domains);
  const count = isNew && scopes.has("read") ? await port.count(host) : undefined;
  return count === undefined ? undefined : `${count} for this host: browse note show ${host}`;
}
