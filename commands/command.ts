/**
 * What a command is. One object per command says everything about it: who may call it, what it touches, what it takes
 * and gives, how it is typed on a command line and how its answer reads. Dispatch enforces it, and help, OpenRPC, the
 * reference docs and the typed client are generated from it.
 */
import type * as v from "valibot";
import type { EffectReport } from "../browser/effect_report.ts";
import type { Scope } from "../security/tokens/scope.ts";
import type { ContextOf } from "./context.ts";
import { type MarkedParams, markedParams } from "./params.ts";

export { SCOPES, type Scope } from "../security/tokens/scope.ts";

/** What a command touches. `none` is safe to send twice; nothing else is. */
export const EFFECTS = ["none", "page", "navigation", "browser", "disk", "code", "process"] as const;
export type Effect = (typeof EFFECTS)[number];

export const CATEGORIES = [
  "navigate",
  "read",
  "inspect",
  "interact",
  "look",
  "extract",
  "tabs",
  "flow",
  "skills",
  "daemon",
  "security",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What has to exist before the command runs: nothing, a session (so Chromium too), or a tab of it. */
export type Needs = "daemon" | "session" | "tab";

/**
 * Whose things a call touches or shows: `own` only those of the tab it works on or of its caller, `session` those of
 * everyone in the session (its cookies, headers, emulation), `tabs` also every tab in it, `daemon` those of everybody.
 */
export type Reach = "own" | "session" | "tabs" | "daemon";

/** What an answer carries: `page` carries page content, `secret` is redacted, `plain` is ours. */
export type Output = "plain" | "page" | "secret";

/**
 * How much of an answer came from a page, whose words are to steer nobody: `whole` all of it, `parts` some names,
 * addresses and what changed, `steps` what other calls answered, each of which is marked by itself.
 */
export type FromPage = "nothing" | "parts" | "whole" | "steps";

/** A param whose presence makes the call need and touch something else, less too, than the command's own scope and effect. */
export interface Raise {
  param: string;
  /** Raise only when the param has this value; any value when absent. */
  equals?: unknown;
  scope: Scope;
  effect: Effect;
  /** The command's own when absent. */
  output?: Output;
}

/** How params are typed on a command line. Flags come from the schema: `newTab` is `--new-tab`. */
export interface CliSyntax {
  /** Params taken by position, in order. */
  positional?: readonly string[];
  /**
   * Says which param each position means where it depends on the words themselves: a file name or a selector. With
   * undefined they mean what they do by `positional` and `rest`. `given` are the params that flags have set. Throws
   * `invalid_params` where only the caller can tell.
   */
  place?: (words: readonly string[], given: ReadonlySet<string>) => Record<string, string> | undefined;
  /** The param that takes every further position: a list when its schema is an array, else joined by spaces. */
  rest?: string;
  /** Flags that are not named like their params, which may not be called as a global flag is: `{ areaName: "area" }`. */
  flags?: Readonly<Record<string, string>>;
  /** One-letter flags, which may be bundled: `{ interactive: "i" }`. */
  short?: Readonly<Record<string, string>>;
  /** The param that `-` fills from standard input. */
  stdin?: string;
  /** Params that an alias brings along: `{ "pair-agent": { tunnel: true } }`. */
  presets?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Everything after the command's name belongs to `rest`, flags included. */
  raw?: boolean;
}

export type CommandResult = Record<string, unknown>;
export type ParamsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;
export type ResultSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

export interface CommandSpec<N extends Needs, P extends ParamsSchema, R extends ResultSchema> {
  /** `"click"`; of one that is typed as two words, `"state.save"`. */
  name: string;
  category: Category;
  /** One line, imperative, no period. */
  summary: string;
  /** What a reader of the reference needs beyond the summary. Plain sentences. */
  description?: string;
  aliases?: readonly string[];
  scope: Scope;
  effect: Effect;
  needs: N;
  /** True for the calls that need no browser after all, decided by their params; the handler then keeps off `tab`. */
  browserless?: (params: v.InferOutput<P>) => boolean;
  /** May a paired remote agent call it through the tunnel? Default false. With a param: only in calls that set it. */
  remote?: boolean | { with: string };
  /** Whose things it touches. Default: `session` for what needs a session, else `own`. */
  reach?: Reach;
  /** True when the user's policy cannot keep it back: without it nobody could set right what the policy says. */
  outsidePolicy?: true;
  output: Output;
  fromPage: FromPage;
  /** True when what it prints is the page's own, character by character: a mark that the page forges stays as it is. */
  isVerbatim?: true;
  /** The member of its result that is running text of a page: marked for every caller but the user. */
  datamark?: string;
  /** True when half of its text is of no use: over the budget it is refused then, not cut. Default false. */
  isWhole?: boolean;
  /** True when its text is a record whose newest lines are at its end: over the budget those are shown. Default false. */
  isLog?: boolean;
  /** False for a command that may run beside others on its tab (waiting, dialogs, buffers). Default true. */
  locksTab?: boolean;
  /** True for a command that changes or replaces all tabs of its session: it waits for the work on each of them. */
  locksSession?: boolean;
  /** True when it opens a tab that stays. */
  opensTab?: true;
  /** True when its result's `id` is of the tab that it shows from then on. */
  showsTab?: true;
  /** True for a command that brings a crashed tab back, since it replaces what was in it. Default false. */
  revivesTab?: boolean;
  /** True for a command that works while a dialog blocks the page. Default false. */
  worksInDialog?: boolean;
  /** True for a command that needs nothing of the page, and works when that has crashed. Default false. */
  worksInCrash?: boolean;
  /** Deadline in ms when the caller gives none. Default 30,000. */
  timeoutMs?: number | ((params: v.InferOutput<P>) => number);
  params: P;
  /** Lists of params of which a call may give only one. */
  exclusive?: readonly (readonly string[])[];
  cli?: CliSyntax;
  /** Its own answer names the requests that it breaks off. */
  namesBrokenOff?: true;
  /** The param that is kept for others to read: judged before the call begins, which is refused where it would steer them. */
  judges?: string;
  /** It ends when its caller's connection does and does not come back, also once it has begun: nobody else could end it. */
  endsWithCaller?: true;
  /** It only leads the tab away from what it shows: a page that the policy denies may be left. */
  leavesPage?: true;
  raises?: readonly Raise[];
  /** Of these params, those that are secret in this call, beside those that are in every call. */
  sensitive?: (params: Readonly<Record<string, unknown>>) => readonly string[];
  result: R;
  /** Command lines that work on the examples page of the tests, where each of them is run. */
  examples: readonly string[];
  run(context: ContextOf[N], params: v.InferOutput<P>): Promise<v.InferInput<R>> | v.InferInput<R>;
  /** True when what it gives a control is to be there in the end: with a page that has undone it, the call has failed. */
  mustBeKept?: true;
  /** What the CLI exits with where the answer itself may tell of a failure. Default 0. */
  exitCode?(result: v.InferOutput<R>): number;
  /** The answer as a person reads it; what the action did is added to it. */
  render(result: v.InferOutput<R>, params: v.InferOutput<P>, effect?: EffectReport): string;
}

/** A command as the registry holds it: its own param and result types set aside, and what its params are found out. */
export type Command = CommandSpec<Needs, ParamsSchema, ResultSchema> &
  MarkedParams & {
    /** As it is typed: `"state save"`. */
    spelling: string;
  };

/** The params of this call that are never logged, journaled or echoed. */
export function sensitiveOf(
  { secrets, sensitive }: Command,
  params: Readonly<Record<string, unknown>>,
): readonly string[] {
  return sensitive ? [...secrets, ...sensitive(params)] : secrets;
}

const registry = new Map<string, Command>();
const aliases = new Map<string, string>();

/** Registers a command; throws when a name is taken, so that a clash cannot start a daemon. */
export function defineCommand<N extends Needs, P extends ParamsSchema, R extends ResultSchema>(
  spec: CommandSpec<N, P, R>,
): CommandSpec<N, P, R> {
  for (const name of [spec.name, ...(spec.aliases ?? [])]) {
    if (registry.has(name) || aliases.has(name)) throw new Error(`Cannot define command "${name}": the name is taken`);
  }
  // The registry erases the param types; dispatch gives `run` only what `params` has parsed.
  const spelling = spec.name.replace(".", " ");
  registry.set(spec.name, { ...spec, ...markedParams(spec.params), spelling } as unknown as Command);
  for (const alias of spec.aliases ?? []) aliases.set(alias, spec.name);
  return spec;
}

/** The command of that name or alias. */
export function findCommand(name: string): Command | undefined {
  return registry.get(aliases.get(name) ?? name);
}

/** The commands whose names begin with this word and a dot, by what follows: `save` and `load` of `state`. */
export function verbsOf(word: string): Map<string, Command> {
  const family = commandNames().filter((name) => name.startsWith(`${word}.`));
  const commands = family.map((name) => [name.slice(word.length + 1), findCommand(name)] as const);
  return new Map(commands.filter((entry): entry is readonly [string, Command] => entry[1] !== undefined));
}

/** The names of the commands that a word means: of the command itself, and of all that are typed with it before a verb. */
export function commandsNamed(word: string): string[] {
  const own = findCommand(word);
  return [...(own ? [own.name] : []), ...[...verbsOf(word).values()].map(({ name }) => name)];
}

/** The params that this name of the command stands for, unless they are given otherwise. */
export function presetsOf(name: string): Readonly<Record<string, unknown>> {
  return findCommand(name)?.cli?.presets?.[name] ?? {};
}

/** Every command, in the order of categories, then of names. */
export function allCommands(): Command[] {
  const rank = (command: Command) => CATEGORIES.indexOf(command.category);
  return [...registry.values()].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** Every name that `findCommand` answers to. */
export function commandNames(): string[] {
  return [...registry.keys(), ...aliases.keys()];
}

/** What a call with these params needs, touches and answers, after the command's `raises`. The first that fits counts. */
export function authorityOf(
  command: Command,
  params: Record<string, unknown>,
): { scope: Scope; effect: Effect; output: Output } {
  const { scope, effect, output = command.output } = raiseOf(command, params) ?? command;
  return { scope, effect, output };
}

/** The one of the command's `raises` that counts for a call with these params. */
export function raiseOf({ raises }: Command, params: Record<string, unknown>): Raise | undefined {
  return raises?.find(({ param, equals }) =>
    equals === undefined ? params[param] !== undefined : params[param] === equals,
  );
}

export function reachOf({ reach, needs }: Pick<Command, "reach" | "needs">): Reach {
  return reach ?? (needs === "session" ? "session" : "own");
}

/** Does dispatch join a report of what the action did to this command's answer? */
export function hasEffectReport({ needs, effect }: Pick<Command, "needs" | "effect">): boolean {
  return needs === "tab" && (effect === "page" || effect === "navigation");
}
