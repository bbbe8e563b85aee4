/** What an answer claims, held against what reached the page's server. */
import { kindOf } from "../answers.ts";
import type { Broken } from "../arena.ts";
import type { Timed } from "../workspace.ts";
import type { Blow, Victim } from "./victims.ts";

/** Words that send the caller to do the same once more. */
const INVITES = /\b(again|retry|once more)\b/i;
/** They may stand beside words of caution. */
const CAUTIONS = /before you (repeat|run)|look (at|first)|may have happened/i;
const LATE_BY_MS = 1_000;

export interface Claimed {
  answer: Timed;
  count: number;
  victim: Victim;
  blow: Blow;
  /** Does the server count this command? */
  isCounted: boolean;
  /** May it be done again at will? */
  isPlain: boolean;
  timeoutMs: number;
  graceMs: number;
}

export function brokenClaims(claimed: Claimed): Broken[] {
  return [...counted(claimed), ...said(claimed), ...late(claimed)];
}

function counted({ answer, count, victim, blow, isCounted, isPlain }: Claimed): Broken[] {
  if (!isCounted) return [];
  // A browser sends a plain request again when what carried it died.
  const isCarrier = victim === "network service";
  const told = `${count} at the server; ${shown(answer)}`;
  if (count > 1 && !isCarrier) return [{ promise: "nothing happens twice", seen: told }];
  const isSilent = victim === "client" && blow !== "SIGSTOP";
  if (isSilent) return [];
  const kind = answer.exitCode === 0 ? "done" : (kindOf(answer) ?? outcomeOf(answer));
  if (kind === "done" && count === 0 && !isCarrier) {
    return [{ promise: "what is said to be done has happened", seen: told }];
  }
  if (!isPlain && kind !== "done" && kind !== "outcome_unknown" && count > 0) {
    return [{ promise: "what happened is not told as a plain failure", seen: told }];
  }
  return [];
}

/** Of a command that runs others, which tells the outcome of each. */
function outcomeOf({ stdout }: Timed): string | undefined {
  return /"outcome":"(outcome_unknown)"/.exec(stdout)?.[1];
}

function said({ answer, count, victim, isCounted, isPlain }: Claimed): Broken[] {
  const broken: Broken[] = [];
  const text = answer.stdout + answer.stderr;
  if (/the tab closed|"closed":true/.test(text) && ["browser", "renderers", "daemon"].includes(victim)) {
    broken.push({ promise: "a death is not told as a closed tab", seen: shown(answer) });
  }
  const hint = hintOf(answer);
  if (isCounted && !isPlain && count > 0 && INVITES.test(hint) && !CAUTIONS.test(hint)) {
    broken.push({ promise: "nobody is invited to repeat what has happened", seen: shown(answer) });
  }
  if (kindOf(answer) === "internal") broken.push({ promise: "nothing goes wrong inside browse", seen: shown(answer) });
  return broken;
}

function late({ answer, timeoutMs, graceMs }: Claimed): Broken[] {
  const limit = timeoutMs + LATE_BY_MS + graceMs;
  if (answer.ms <= limit) return [];
  return [
    {
      promise: "the answer comes within its deadline",
      seen: `${answer.ms.toFixed(0)} of ${limit.toFixed(0)} ms: ${shown(answer)}`,
    },
  ];
}

function hintOf({ stderr }: Timed): string {
  const line = stderr.split("\n").find((text) => text.startsWith('{"error"'));
  return line
    ? ((JSON.parse(line) as { error: { hint?: string } }).error.hint ?? "")
    : (/^Hint: .*/m.exec(stderr)?.[0] ?? "");
}

function shown({ stdout, stderr, exitCode, ms }: Timed): string {
  return `exit ${exitCode} after ${ms.toFixed(0)} ms: ${`${stdout}${stderr}`.trim().slice(0, 400)}`;
}
