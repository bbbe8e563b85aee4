/** What the user wants to have asked, or never done, whoever calls: rules by command, scope, effect and host. */
import * as v from "valibot";
import { SCOPES } from "../tokens/scope.ts";
import { DomainRules } from "../urls/domain_rules.ts";

/** From the mildest to the strictest. */
const DECISIONS = ["allow", "confirm", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];

/** What there is to write rules about. */
export interface Vocabulary {
  /** The commands that a name or alias means: all whose names begin with it, such as `state`; empty when there is none. */
  commandsNamed: (name: string) => readonly string[];
  effects: readonly string[];
}

/** A call as rules see it. */
export interface Judged {
  command: string;
  /** Other commands that come to the same, such as `js` for one that runs a script to wait for. */
  sameAs: readonly string[];
  scope: string;
  effect: string;
  /** Addresses that it opens, and of what it works on. */
  urls: readonly string[];
}

export interface Rule {
  do: Decision;
  command?: readonly string[];
  scope?: readonly string[];
  effect?: readonly string[];
  host?: readonly string[];
}

const MAX_RULES = 500;

/** The `policy` of a file. A rule about a command that does not exist would do nothing, so it is an error. */
export function policySchema({ commandsNamed, effects }: Vocabulary) {
  const isCommand = (name: string) => commandsNamed(name).length > 0;
  const command = v.pipe(
    v.string(),
    v.check(isCommand, (issue) => `there is no command ${issue.received}`),
  );
  const host = v.pipe(v.string(), v.check(isHost, "must be a host such as example.com or *.example.com"));
  return v.pipe(
    v.array(
      v.strictObject({
        do: v.picklist(DECISIONS),
        command: v.exactOptional(
          v.pipe(
            oneOrMore(command),
            v.transform((names) => names.flatMap(commandsNamed)),
          ),
        ),
        scope: v.exactOptional(oneOrMore(v.picklist(SCOPES))),
        effect: v.exactOptional(oneOrMore(v.picklist(effects))),
        host: v.exactOptional(oneOrMore(host)),
      }),
    ),
    v.maxLength(MAX_RULES, "has too many rules"),
  );
}

/** The first rule that fits decides; where none does, the call is allowed. */
export function decide(rules: readonly Rule[], call: Judged): Decision {
  return rules.find((rule) => fits(rule, call))?.do ?? "allow";
}

/** Is it about documents of hosts, whatever loads them, and not about a call? */
function isAboutHosts({ host, command, scope, effect }: Rule): boolean {
  return host !== undefined && !command && !scope && (effect === undefined || effect.includes("navigation"));
}

/** May nobody load a document from there? */
export function deniesLoad(rules: readonly Rule[], url: string): boolean {
  const call = { command: "", sameAs: [], scope: "", effect: "navigation", urls: [url] };
  return decide(rules.filter(isAboutHosts), call) === "deny";
}

export function deniesHost(rule: Rule): boolean {
  return rule.do === "deny" && isAboutHosts(rule);
}

export function strictest(decisions: readonly Decision[]): Decision {
  return DECISIONS.findLast((decision) => decisions.includes(decision)) ?? "allow";
}

function fits({ do: decision, command, scope, effect, host }: Rule, call: Judged): boolean {
  // What allows one command allows no other that comes to the same.
  const names = decision === "allow" ? [call.command] : [call.command, ...call.sameAs];
  if (command && !names.some((name) => command.includes(name))) return false;
  if (scope && !scope.includes(call.scope)) return false;
  if (effect && !effect.includes(call.effect)) return false;
  return host === undefined || fitsHost(host, call.urls, decision);
}

/** One host is enough to keep a call from running; to let it run all of them must be among those named. */
function fitsHost(host: readonly string[], urls: readonly string[], decision: Decision): boolean {
  const rules = new DomainRules(host);
  const isNamed = (url: string) => rules.allows(url);
  return decision === "allow" ? urls.length > 0 && urls.every(isNamed) : urls.some(isNamed);
}

function oneOrMore<Item extends v.GenericSchema>(item: Item) {
  const list = v.pipe(v.array(item), v.minLength(1, "must not be empty"));
  return v.pipe(
    // Of a union, where neither fits, it would not be said what is wrong with the one that was meant.
    v.lazy((value) => (Array.isArray(value) ? list : item)),
    v.transform((value): v.InferOutput<Item>[] => (Array.isArray(value) ? value : [value])),
  );
}

function isHost(text: string): boolean {
  try {
    new DomainRules([text]);
    return true;
  } catch {
    return false;
  }
}
