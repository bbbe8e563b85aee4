/** The flags that every command line takes, wherever they stand. */
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SESSION_NAME_WORDS, SessionName } from "../../security/tokens/session_name.ts";
import { PROXY_FORMS, proxyUrl } from "../../security/urls/proxy.ts";
import { durationMs } from "../../wording.ts";
import type { ParamSyntax, ValueKind } from "./syntax.ts";

export interface GlobalFlags {
  session?: string;
  tab?: string;
  timeoutMs?: number;
  maxChars?: number;
  offset?: number;
  out?: string;
  proxy?: string;
  headed?: boolean;
  json?: boolean;
  noSettle?: boolean;
  noChanges?: boolean;
  /** Gives what the content guard would withhold. */
  unsafe?: boolean;
  /** Params of the snapshot that the answer goes on with. */
  snapshot?: Record<string, unknown>;
  noStart?: boolean;
  quiet?: boolean;
  help?: boolean;
  version?: boolean;
}

/** As they are typed; `timeout` becomes `timeoutMs`. */
export const GLOBAL_FLAGS: readonly ParamSyntax[] = [
  globalFlag("session", "string", "Session to use", { accepts: SESSION_NAME_WORDS }),
  globalFlag("tab", "string", "Tab to use, such as t3", { accepts: "a tab id such as t3" }),
  globalFlag("timeout", "string", "Time the call may take: 500, 500ms, 5s or 2m", {
    accepts: "milliseconds or a time such as 5s, up to 24 h",
  }),
  globalFlag("max-chars", "integer", "Characters of output before it is cut (default 24000)", {
    accepts: "a whole number from 1",
  }),
  globalFlag("offset", "integer", "Characters of output to leave out before it: how a cut answer goes on", {
    accepts: "a whole number from 0",
  }),
  globalFlag("out", "string", "File that takes the whole answer", { accepts: "a file" }),
  globalFlag("json", "boolean", "Print the typed result as JSON"),
  globalFlag("headed", "boolean", "Show the browser's window"),
  globalFlag("proxy", "string", "Proxy of the browser", { accepts: PROXY_FORMS }),
  globalFlag("no-settle", "boolean", "Answer without waiting for what the action starts"),
  globalFlag("no-changes", "boolean", "Answer with the number of changed nodes, without their lines"),
  globalFlag("unsafe", "boolean", "Show what the content guard withholds: for a person, with the root token"),
  globalFlag("no-start", "boolean", "Fail instead of starting a daemon"),
  globalFlag("quiet", "boolean", "Print no hints"),
  globalFlag("help", "boolean", "Explain the command", { short: "h" }),
  globalFlag("version", "boolean", "Print the version"),
];

const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** The typed values as the daemon uses them. Throws `invalid_params`. */
export function globalFlagsFrom(typed: ReadonlyMap<string, unknown>): GlobalFlags {
  const flags: Record<string, unknown> = {};
  for (const [name, value] of typed) {
    if (name === "timeout") flags.timeoutMs = timeoutFrom(String(value));
    else if (name === "max-chars") flags.maxChars = atLeast(1, "--max-chars", Number(value));
    else if (name === "offset") flags.offset = atLeast(0, "--offset", Number(value));
    else if (name === "proxy") flags.proxy = proxyFrom(String(value));
    else if (name === "tab") flags.tab = /^\d+$/.test(String(value)) ? `t${value}` : value;
    else if (name === "no-settle") flags.noSettle = value;
    else if (name === "no-changes") flags.noChanges = value;
    else if (name === "no-start") flags.noStart = value;
    else flags[name] = value;
  }
  if (typeof flags.tab === "string" && !/^t\d+$/.test(flags.tab)) throw wrong("--tab", flags.tab);
  if (flags.json && flags.offset !== undefined) {
    throw new BrowseError("invalid_params", "--offset cannot be combined with --json", {
      hint: "Write the JSON whole with --out <file>, or allow more with --max-chars",
      details: { flag: "--offset" },
    });
  }
  if (flags.out === "") throw wrong("--out", "");
  if (typeof flags.session === "string" && !v.is(SessionName, flags.session)) throw wrong("--session", flags.session);
  return flags;
}

/** Throws for flags of the browser in a step of another call: all steps have that call's. */
export function assertInStep(flags: GlobalFlags): void {
  const name = (["headed", "proxy"] as const).find((each) => flags[each] !== undefined);
  if (!name) return;
  throw new BrowseError("invalid_params", `--${name} applies to the whole command line, not to one step`, {
    hint: `Put it before the command that holds the steps: browse --${name} … chain …`,
    details: { flag: `--${name}` },
  });
}

function timeoutFrom(text: string): number {
  const ms = durationMs(text);
  if (ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
  throw wrong("--timeout", text);
}

function atLeast(least: number, flag: string, value: number): number {
  if (value >= least) return value;
  throw wrong(flag, String(value));
}

function proxyFrom(text: string): string {
  const url = proxyUrl(text);
  if (url) return url;
  throw wrong("--proxy", text);
}

function wrong(flag: string, text: string): BrowseError {
  const accepted = GLOBAL_FLAGS.find((known) => known.flag === flag)?.accepts;
  return new BrowseError("invalid_params", `${flag} takes ${accepted}, not ${JSON.stringify(text)}`, {
    details: { flag },
  });
}

function globalFlag(
  name: string,
  kind: ValueKind,
  description: string,
  more: Pick<ParamSyntax, "accepts" | "short"> = {},
): ParamSyntax {
  return {
    name,
    flag: `--${name}`,
    label: `--${name}`,
    isPositional: false,
    isRest: false,
    isRequired: false,
    isList: false,
    kinds: new Set([kind]),
    description,
    ...more,
  };
}
