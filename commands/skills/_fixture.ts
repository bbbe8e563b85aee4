/** The page of a skill's last read, and what it answers: kept beside the script, so that its parser can be tested, and the page held against it later. */
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { redactText } from "../../security/secrets/redact.ts";
import { chosenLocator } from "../../skills/making/locators.ts";
import { RESULTS, type RecordedCall } from "../../skills/making/recording.ts";
import { authorityOf, type Command, findCommand } from "../command.ts";
import type { BaseContext } from "../context.ts";
import { markedParams } from "../params.ts";

/** More than this is not kept: a skill has at most five million bytes. Characters. */
const MAX_HTML = 2_000_000;
const MAX_ANSWER = 1_000_000;

/** `fixtures/<name>.json`. */
export const FixtureSchema = v.strictObject({
  command: v.string(),
  params: v.record(v.string(), v.unknown()),
  url: v.string(),
  answer: v.record(v.string(), v.unknown()),
  /** The page has to be acted on before it says that. */
  needsSteps: v.exactOptional(v.boolean()),
});

export type Fixture = v.InferOutput<typeof FixtureSchema>;

/** Where the tab is. */
export async function addressOf(context: BaseContext, tab: string): Promise<string> {
  const { url } = await ask(context, ["url", "--tab", tab]);
  return String(url);
}

/** Reads once more what was read, in the tab where it was. Throws what the read throws, and `not_found` when the tab has gone elsewhere. */
export async function captured(context: BaseContext, read: RecordedCall): Promise<{ fixture: Fixture; html: string }> {
  const { tab = "", page = "" } = read;
  const url = await addressOf(context, tab);
  if (new URL(url).pathname !== new URL(page).pathname) {
    throw new BrowseError("not_found", `The page of the last read is no longer in ${tab}`, {
      hint: "Go there, read it once more, and codify then",
    });
  }
  const params = lastingParams(read);
  const answer = await readAgain(context, read.command, params, tab);
  const { html } = await ask(context, ["html", "--tab", tab]);
  return {
    fixture: { command: read.command, params, url: page, answer },
    html: redactText(String(html).slice(0, MAX_HTML)),
  };
}

/**
 * What the command answers now, without what is said about it. A fixture may be a stranger's: throws `forbidden` for all but what
 * `skill codify` reads with, and for params that name files, tabs or sessions.
 */
export async function readAgain(
  context: BaseContext,
  command: string,
  params: Record<string, unknown>,
  tab: string,
): Promise<Record<string, unknown>> {
  const { untrusted: _, effect: __, ...answer } = await ask(context, wordsOf(readNamed(command, params), params, tab));
  const text = JSON.stringify(answer);
  if (text.length <= MAX_ANSWER) return answer;
  throw new BrowseError(
    "too_large",
    `What "${command}" answers has ${text.length} characters; a skill keeps at most ${MAX_ANSWER}`,
    {
      hint: "Read less of the page: one table, one element",
    },
  );
}

/** The command, where it and the params are no more than a read of the page. Throws `forbidden`. */
export function readNamed(name: string, params: Record<string, unknown>): Command {
  const command = RESULTS.has(name) ? findCommand(name) : undefined;
  if (!command) throw notRead(`"${name.slice(0, 100)}" is not a read of a page`);
  const { paths, urls, tabParams, sessionParams } = markedParams(command.params);
  const others = new Set([...paths.map(({ param }) => param), ...urls, ...tabParams, ...sessionParams]);
  const other = Object.keys(params).find((param) => others.has(param));
  if (other !== undefined) throw notRead(`"${name}" reads something else with "${other}"`);
  const { scope, effect } = authorityOf(command, params);
  if (scope !== "read" || effect !== "none" || !v.is(command.params, params)) {
    throw notRead(`"${name}" is not read with such params`);
  }
  // What a word of the line would be taken for: a PDF of the disk.
  if (command.cli?.place?.(positionsOf(command, params), new Set())) throw notRead(`"${name}" would read a file`);
  return command;
}

function notRead(why: string): BrowseError {
  return new BrowseError("forbidden", `The fixture cannot be read again: ${why}`, {
    hint: "Make the skill anew with `browse skill codify`",
  });
}

/** Found again in the way that the script finds it; in a frame as it was, since the tab may not be scoped to it. */
function lastingParams({ params, elements = [] }: RecordedCall): Record<string, unknown> {
  const { target } = params;
  const [element] = elements;
  if (typeof target !== "string" || element?.frame !== undefined) return params;
  return { ...params, target: chosenLocator(target, element, true) ?? target };
}

/** No value is taken for a flag. */
function wordsOf(command: Command, params: Record<string, unknown>, tab: string): string[] {
  const positional = command.cli?.positional ?? [];
  const flags = Object.entries(params).filter(([param, value]) => !positional.includes(param) && value !== false);
  return [
    command.name,
    ...flags.map(([param, value]) => {
      const flag = `--${param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === true ? flag : `${flag}=${String(value)}`;
    }),
    "--tab",
    tab,
    "--",
    ...positionsOf(command, params),
  ];
}

function positionsOf({ cli }: Command, params: Record<string, unknown>): string[] {
  return (cli?.positional ?? []).flatMap((param) => (typeof params[param] === "string" ? [params[param]] : []));
}

async function ask(context: BaseContext, argv: readonly string[]): Promise<Record<string, unknown>> {
  const prepared = context.prepare(argv);
  // Words of other tools may stand for another command.
  if (prepared.command.name !== argv[0]) throw notRead(`it would be "${prepared.command.name}"`);
  return (await prepared.run()).result;
}
