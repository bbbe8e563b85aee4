/** A skill as text, from the calls of the journal that led to its read. */
import { BrowseError } from "../../errors.ts";
import type { ActedOn } from "../../rpc/events/journal.ts";
import { REDACTED } from "../../security/secrets/secret_shapes.ts";
import { SKILL_SCOPES } from "../skill.ts";
import { type DigestOf, LiftedArgs } from "./args.ts";
import { begun } from "./beginning.ts";
import { isSameCall, pagingOf } from "./paging.ts";
import { type DroppedCall, leadsAway, pruned } from "./prune.ts";
import { cannotCodify, hostOf, numberOf, type RecordedCall, type Recording } from "./recording.ts";
import { type ScriptText, scriptText } from "./script_text.ts";
import { manifestText } from "./skill_texts.ts";
import { OPENS } from "./taken.ts";

export interface DraftRequest {
  name: string;
  description?: string;
  /** `name=value`: which literal is which argument. */
  named: readonly string[];
}

/** What the registry of commands knows. */
export interface CommandKnowledge {
  scopeOf(command: string, params: Record<string, unknown>): string | undefined;
  /** Does it touch the page, or where the tab is? */
  isAction(command: string, params: Record<string, unknown>): boolean;
}

export interface Draft {
  script: string;
  manifest: string;
  description: string;
  host: string;
  scopes: string[];
  args: { name: string; default?: string }[];
  steps: string[];
  dropped: DroppedCall[];
  /** What was read is not there when the page is opened by its address. */
  needsSteps: boolean;
  warnings: string[];
}

/** Typed values that an error names. */
const MAX_TOLD = 10;
const ROLES: Readonly<Record<string, string>> = {
  checkbox: "check",
  radio: "check",
  switch: "check",
  combobox: "select",
  listbox: "select",
};

/** Throws what `recordingOf` throws, for what no script can do again. */
export function draftOf(
  recording: Recording,
  request: DraftRequest,
  knows: CommandKnowledge,
  digestOf: DigestOf,
): Draft {
  const { read, host } = recording;
  const args = new LiftedArgs(request.named, digestOf);
  const all = recording.calls.flatMap(fields).map((call) => withoutNamed(call, args, read));
  const { calls, dropped: forbidden } = allowed({ ...recording, calls: all }, knows);
  const paging = pagingOf({ ...recording, calls });
  const { kept, dropped } = pruned({ ...recording, calls }, ({ command, params }) => knows.isAction(command, params));
  const once = paging ? kept.filter((call) => !isSameCall(call, paging)) : kept;
  // Pages that the loop reads are not left out.
  const pages = new Set(paging ? calls.filter((call) => isSameCall(call, read)).map(({ id }) => id) : []);
  const { kept: own, dropped: earlier } = begun(once, { ...recording, calls });
  const steps = opened(own, recording);
  assertOneHost(steps, host);
  const description =
    request.description ??
    `Reads ${read.command === "text" ? "what the page says" : `the ${read.command}`} after ${steps.length - 1} steps on ${host}`;
  const script = scriptText({ description, calls: steps, read, args, ...(paging && { next: paging }) });
  assertUsed(request.named, args.unused(script.source), steps);
  const scopes = scopesOf(script, knows);
  const told = steps.map((call) => stepOf(call));
  return {
    script: script.source,
    manifest: manifestText({ name: request.name, description, host, args: args.all, scopes, steps: told }),
    description,
    host,
    scopes,
    args: args.all.map(({ name, default: value }) => ({ name, ...(value !== undefined && { default: value }) })),
    steps: told,
    dropped: [...forbidden, ...dropped.filter(({ id }) => !pages.has(id)), ...earlier],
    needsSteps: steps.slice(steps.findLastIndex(leadsAway) + 1).some(({ effect }) => effect && !effect.nothing),
    warnings: [...warningsOf(script), ...otherTabs(own, recording)],
  };
}

/** Those that a skill may make. */
function allowed(
  { calls, read }: Recording,
  { scopeOf }: CommandKnowledge,
): { calls: RecordedCall[]; dropped: DroppedCall[] } {
  const isAllowed = (call: RecordedCall) => SKILL_SCOPES.some((scope) => scope === scopeOf(call.command, call.params));
  if (!isAllowed(read))
    throw cannotCodify(
      `"${read.command}" needs more than a skill may have`,
      "Read with `browse text`, `browse table` …, then codify",
    );
  const dropped = calls.filter((call) => !isAllowed(call));
  return {
    calls: calls.filter(isAllowed),
    dropped: dropped.map(({ id, command }) => ({ id, command, why: "no skill may do that" })),
  };
}

/** A form that was filled at once, field by field: what each was given is written nowhere. */
function fields(call: RecordedCall): RecordedCall[] {
  if (call.command !== "fill-form") return [call];
  return (call.elements ?? []).map((element: ActedOn, index) => {
    const command = ROLES[element.role] ?? "fill";
    const value = command === "fill" ? { value: REDACTED } : command === "select" ? { values: REDACTED } : {};
    const { hidden: _, from: __, ...known } = call;
    return {
      ...known,
      id: `${call.id}.${index + 1}`,
      command,
      params: { target: element.ref, ...value },
      elements: [element],
    };
  });
}

/** What the user gave a name is an argument, wherever else it stood. The read itself stays the one that it is. */
function withoutNamed(call: RecordedCall, args: LiftedArgs, read: RecordedCall): RecordedCall {
  if (call === read || !call.from) return call;
  return { ...call, from: call.from.filter(({ param }) => !args.names(call, param)) };
}

/** It begins with a page being opened: the one that the tab showed, when the calls do not open any. */
function opened(kept: readonly RecordedCall[], { calls }: Recording): RecordedCall[] {
  const [first] = kept;
  if (!first || OPENS.has(first.command)) return [...kept];
  const before = calls
    .slice(
      0,
      calls.findIndex(({ id }) => id === first.id.replace(/\..*/, "")),
    )
    .findLast(({ page }) => page !== undefined);
  const url = before?.page ?? (first.effect?.navigated === undefined ? first.page : undefined);
  if (url === undefined || hostOf(url) === undefined) {
    throw cannotCodify(
      "its first call does not open a page",
      "Begin with `browse goto`, or give a range that does with --from",
    );
  }
  const { elements: _, effect: __, result: ___, from: ____, hidden: _____, ...known } = first;
  return [{ ...known, id: `${first.id}.0`, command: "goto", params: { url }, page: url }, ...kept];
}

function assertOneHost(calls: readonly RecordedCall[], host: string): void {
  const hosts = new Set(calls.flatMap(({ page }) => hostOf(page) ?? []));
  const others = [...hosts].filter((other) => other !== host && !other.endsWith(`.${host}`));
  if (others.length === 0) return;
  throw cannotCodify(
    `it went through several hosts: ${[...hosts].slice(0, 5).join(", ")}`,
    `Name the one that it is about with --host ${host}, or give a range with --from`,
  );
}

function scopesOf({ uses }: ScriptText, { scopeOf }: CommandKnowledge): string[] {
  const scopes = new Set(uses.map(({ command, params }) => scopeOf(command, params)));
  return SKILL_SCOPES.filter((scope) => scopes.has(scope));
}

function stepOf({ command, elements = [], params }: RecordedCall): string {
  const [element] = elements;
  if (OPENS.has(command)) return "goto";
  const key = typeof params.key === "string" ? ` ${params.key}` : "";
  return `${command}${key}${element ? ` ${element.role} ${element.name}` : ""}`;
}

/** A name for a value that was never used is a slip. */
function assertUsed(named: readonly string[], unused: readonly string[], steps: readonly RecordedCall[]): void {
  const [name] = unused.filter((each) => named.some((pair) => pair.startsWith(`${each}=`)));
  if (name === undefined) return;
  const typed = steps
    .filter(({ params }) => Object.values(params).includes(REDACTED))
    .map(
      ({ command, elements = [] }) =>
        `${command} ${elements[0]?.role ?? ""} ${JSON.stringify(elements[0]?.name ?? "")}`,
    );
  throw new BrowseError("invalid_params", `Nothing that the script does was given the value of --arg ${name}`, {
    hint:
      typed.length > 0
        ? `What was typed, and can be named by its value: ${typed.slice(0, MAX_TOLD).join(", ")}`
        : "Nothing was typed: leave --arg out",
  });
}

/** A pop-up in which something was chosen, say: the steps do without it. */
function otherTabs([first]: readonly RecordedCall[], { elsewhere }: Recording): string[] {
  const since = first === undefined ? [] : elsewhere.filter(({ id }) => numberOf(id) > numberOf(first.id));
  if (since.length === 0) return [];
  const told = since.slice(0, MAX_TOLD).map(({ command, id, tab }) => `${command} (${id}) in ${tab}`);
  return [`It does nothing in other tabs, and leaves out ${told.join(", ")}: what it answers may be something else`];
}

function warningsOf({ brittle, kept }: ScriptText): string[] {
  return [
    ...brittle.map((what) => `It finds an element only by where it stands: ${what}`),
    ...kept.map(
      (what) => `It looks for ${what}: other elements had that value in their names, or it was a selector of text`,
    ),
  ];
}
