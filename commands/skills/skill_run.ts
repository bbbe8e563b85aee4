import * as v from "valibot";
import { argumentsFrom } from "../../skills/run/arguments.ts";
import { SkillName } from "../../skills/skill.ts";
import { defineCommand } from "../command.ts";
import type { SessionContext } from "../context.ts";
import { isSecret, TabId } from "../params.ts";
import { smallValue } from "./_small_value.ts";

/** Longer than any skill may take: what a call has that names no time. */
const MAX_RUN_MS = 3_700_000;

export default defineCommand({
  name: "skill.run",
  category: "skills",
  summary: "Run a skill, and print the value that it gives",
  description:
    "It runs in a sandbox, with a token that has the scopes, the host and the tabs of its manifest, as far as you have them. " +
    "What it prints is its log, on standard error. It may take as long as its manifest says, or --timeout.",
  scope: "meta",
  effect: "process",
  needs: "session",
  reach: "own",
  output: "page",
  fromPage: "whole",
  timeoutMs: MAX_RUN_MS,
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
    tab: v.exactOptional(
      v.pipe(TabId, v.description("The tab for a skill that shares one; the current tab when absent")),
    ),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    skill: v.string(),
    value: v.pipe(v.unknown(), v.description("What its `main` gave")),
    ms: v.number(),
  }),
  examples: ["browse skill run prices --arg query=lamps"],
  async run(context, { name, arg = [], tab }) {
    const { daemon, session, holder, signal, timeoutMs } = context;
    const whole = daemon.skills.store.read(name);
    const args = argumentsFrom(whole.skill, arg);
    const shared = tab ?? session.current(holder)?.id;
    const started = performance.now();
    const value = await daemon.skills.runner.run(whole, args, {
      by: holder,
      session: session.name,
      signal,
      ...(shared !== undefined && { tab: shared }),
      ...(timeoutMs < MAX_RUN_MS && { timeoutMs }),
      onLog: (line) => context.log("info", `${name}: ${JSON.stringify(line)}`),
      ...askedAt(context),
    });
    const small = await smallValue(value, { name, dir: context.artifactsDir });
    return { skill: name, value: small, ms: Math.round(performance.now() - started) };
  },
  render: ({ value }) => JSON.stringify(value, undefined, 2),
});

/** Nobody but the user has a terminal at which a yes counts. */
function askedAt({ holder, ask }: SessionContext): { ask?: (question: string) => Promise<string | undefined> } {
  return holder.kind === "root" ? { ask } : {};
}
