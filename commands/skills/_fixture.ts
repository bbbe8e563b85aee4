/** The page of a skill's last read, and what it answers: kept beside the script, so that its parser can be tested, and the page held against it later. */
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { redactText } from "../../security/secrets/redact.ts";
import { chosenLocator } from "../../skills/making/locators.ts";
import type { RecordedCall } from "../../skills/making/recording.ts";
import { findCommand } from "../command.ts";
import type { BaseContext } from "../context.ts";

/** More than this is not kept: a skill has at most five million bytes. Characters. */
const MAX_HTML = 2_000_000;
const MAX_ANSWER = 1_000_000;

/** `fixtures/<name>.json`. */
export const FixtureSchema = v.strictObject({
  command: v.string(),
  params: v.record(v.string(), v.unknown()),
  url: v.string(),
  answer: v.record(v.string(), v.unknown()),
});

export type Fixture = v.InferOutput<typeof FixtureSchema>;

/** Reads once more what was read, in the tab where it was. Throws what the read throws, and `not_found` when the tab has gone elsewhere. */
export async function captured(context: BaseContext, read: RecordedCall): Promise<{ fixture: Fixture; html: string }> {
  const { tab = "", page = "" } = read;
  const { url } = await ask(context, ["url", "--tab", tab]);
  if (new URL(String(url)).pathname !== new URL(page).pathname) {
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

/** What the command answers now, without what is said about it. */
export async function readAgain(
  context: BaseContext,
  command: string,
  params: Record<string, unknown>,
  tab: string,
): Promise<Record<string, unknown>> {
  const { untrusted: _, effect: __, ...answer } = await ask(context, [...wordsOf(command, params), "--tab", tab]);
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

/** Found again in the way that the script finds it; in a frame as it was, since the tab may not be scoped to it. */
function lastingParams({ params, elements = [] }: RecordedCall): Record<string, unknown> {
  const { target } = params;
  const [element] = elements;
  if (typeof target !== "string" || element?.frame !== undefined) return params;
  return { ...params, target: chosenLocator(target, element, true) ?? target };
}

function wordsOf(name: string, params: Record<string, unknown>): string[] {
  const positional = findCommand(name)?.cli?.positional ?? [];
  const flags = Object.entries(params).filter(([param]) => !positional.includes(param));
  return [
    name,
    ...positional.flatMap((param) => (typeof params[param] === "string" ? [params[param]] : [])),
    ...flags.flatMap(([param, value]) => {
      const flag = `--${param.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === true ? [flag] : value === false ? [] : [flag, String(value)];
    }),
  ];
}

async function ask(context: BaseContext, argv: readonly string[]): Promise<Record<string, unknown>> {
  return (await context.prepare(argv).run()).result;
}
