import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";
import { argumentsFrom } from "../../skills/run/arguments.ts";
import { SkillName } from "../../skills/skill.ts";
import { defineCommand } from "../command.ts";
import type { SessionContext } from "../context.ts";
import { FileName, isSecret, readsFile, TabId, writesFile } from "../params.ts";
import { agreedToRun } from "./_agreed_to_run.ts";
import { EachResult, eachText, runEach } from "./_each.ts";
import { smallValue } from "./_small_value.ts";

/** Longer than any skill may take: what a call has that names no time. */
const MAX_RUN_MS = 3_700_000;
/** The most that a call may take. */
const MAX_EACH_MS = 24 * 60 * 60 * 1_000;

export default defineCommand({
  name: "skill.run",
  category: "skills",
  summary: "Run a skill, and print the value that it gives",
  description:
    "It runs in a sandbox, with a token that has the scopes, the host and the tabs of its manifest, as far as you have them. " +
    "A person has to agree first to a skill of the project's that takes the place of another one, or may go to any host. " +
    "What it prints is its log, on standard error. It may take as long as its manifest says, or --timeout. " +
    "With --each it runs once for every line of a file, an object of arguments, by a few processes; each job's result is a line of a file in " +
    ".browse/artifacts, and the time is that of each job, --timeout that of all. --resume goes on with such a file, and does what has no line there.",
  scope: "meta",
  effect: "process",
  needs: "session",
  reach: "own",
  endsWithCaller: true,
  output: "page",
  fromPage: "whole",
  timeoutMs: ({ each }) => (each === undefined ? MAX_RUN_MS : MAX_EACH_MS),
  params: v.strictObject({
    name: SkillName,
    arg: v.exactOptional(
      v.pipe(
        v.array(v.pipe(v.string(), v.maxLength(110_000))),
        v.maxLength(50),
        v.description("An argument of the skill, name=value; may be given again"),
        isSecret(),
      ),
    ),
    each: v.exactOptional(
      v.pipe(FileName, v.description("File with an object of arguments a line, and a key if you like"), readsFile()),
    ),
    concurrency: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(16),
        v.description("Jobs at a time, with --each (default 4)"),
      ),
    ),
    resume: v.exactOptional(
      v.pipe(
        FileName,
        v.description("File of results of an earlier run with --each, to go on with"),
        writesFile({ extensions: [".jsonl"] }),
      ),
    ),
    tab: v.exactOptional(
      v.pipe(TabId, v.description("The tab for a skill that shares one; the current tab when absent")),
    ),
  }),
  cli: { positional: ["name"] },
  result: v.union([
    v.strictObject({
      skill: v.string(),
      value: v.pipe(v.unknown(), v.description("What its `main` gave")),
      ms: v.number(),
    }),
    EachResult,
  ]),
  examples: ["browse skill new headline --user", "browse skill run headline --arg url=about:blank"],
  async run(context, params) {
    const { name, arg = [], tab } = params;
    const { daemon, session, holder, signal, timeoutMs } = context;
    const whole = daemon.skills.store.read(name);
    await agreedToRun(context, whole.skill);
    const shared = tab ?? session.current(holder)?.id;
    const started = performance.now();
    const run = {
      by: holder,
      session: session.name,
      signal,
      ...(shared !== undefined && { tab: shared }),
      onToken: (token: Token) => context.lent(token),
      onLog: (line: string) => context.log("info", `${name}: ${JSON.stringify(line)}`),
      onWaiting: (id: string) =>
        context.log("info", `${name} is waiting for a person: \`browse confirm ${id}\` allows it`),
      ...askedAt(context),
    };
    const took = () => Math.round(performance.now() - started);
    if (params.each !== undefined) {
      const summary = await runEach(context, { ...params, each: params.each, whole, run });
      return { skill: name, ...summary, ms: took() };
    }
    assertAlone(params);
    const own = timeoutMs < MAX_RUN_MS && { timeoutMs };
    const value = await daemon.skills.runner.run(whole, argumentsFrom(whole.skill, arg), { ...run, ...own });
    return { skill: name, value: await smallValue(value, { name, dir: context.artifactsDir }), ms: took() };
  },
  exitCode: (result) => ("results" in result && result.failed > 0 ? 1 : 0),
  render: (result) => ("results" in result ? eachText(result) : JSON.stringify(result.value, undefined, 2)),
});

function assertAlone({ concurrency, resume }: { concurrency?: number; resume?: string }): void {
  if (concurrency === undefined && resume === undefined) return;
  const flag = concurrency === undefined ? "resume" : "concurrency";
  throw new BrowseError("invalid_params", `--${flag} goes with --each`, { details: { param: flag } });
}

/** Nobody but the user has a terminal at which a yes counts. */
function askedAt({ holder, ask }: SessionContext): { ask?: (question: string) => Promise<string | undefined> } {
  return holder.kind === "root" ? { ask } : {};
}
