import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand, findCommand } from "../command.ts";
import type { BaseContext, PreparedCall } from "../context.ts";
import { isSecret } from "../params.ts";
import { parseChain } from "./_chain_syntax.ts";
import { exitCodeOf, notRun, preparedIn, runStep, type Step, StepSchema } from "./_step.ts";

export default defineCommand({
  name: "chain",
  category: "flow",
  summary: "Run several commands in one call",
  description:
    "JSON lists of words, or command lines joined by |. All are parsed and authorized before the first runs; the first " +
    "error stops the chain unless --keep-going is given, and the answer names what ran and what did not.",
  scope: "meta",
  effect: "page",
  needs: "daemon",
  remote: true,
  output: "page",
  fromPage: "steps",
  timeoutMs: 120_000,
  params: v.strictObject({
    commands: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(1_000_000),
      v.description("Command lines joined by |, or JSON lists of words"),
      isSecret(),
    ),
    keepGoing: v.exactOptional(v.pipe(v.boolean(), v.description("Go on after an error"))),
  }),
  cli: { rest: "commands", stdin: "commands" },
  result: v.strictObject({ steps: v.array(StepSchema), failed: v.number() }),
  examples: ["browse chain 'url | title'", 'browse chain \'[["url"],["count","a"]]\''],
  async run(context, { commands, keepGoing = false }) {
    const calls = prepared(context, parseChain(commands));
    const steps: Step[] = [];
    let failed = 0;
    for (const call of calls) {
      const step = failed > 0 && !keepGoing ? notRun(call) : await runStep(call);
      if (step.outcome !== "ok" && step.outcome !== "not run") failed++;
      steps.push(step);
      context.progress(steps.length, calls.length, "commands");
    }
    return { steps, failed };
  },
  exitCode: ({ steps }) => exitCodeOf(steps),
  render: ({ steps }) => steps.map(({ command, text }) => `${command}: ${text}`).join("\n"),
});

/** What shells and people put between commands. */
const SEPARATORS = new Set(["&&", "||", "&", ";", ",", "then", ">>"]);

/** Throws what there is to refuse in any of them. */
function prepared(context: BaseContext, steps: readonly string[][]): PreparedCall[] {
  try {
    return steps.map((argv) => preparedIn(context, "chain", argv));
  } catch (error) {
    const [[first, ...words] = []] = steps;
    const next = words.findIndex((word) => findCommand(word) !== undefined);
    if (!(error instanceof BrowseError) || steps.length > 1 || next < 0) throw error;
    const before = words.slice(0, next).filter((word) => !SEPARATORS.has(word));
    const line = [first, ...before, "|", ...words.slice(next)].join(" ");
    throw new BrowseError(error.kind, error.message, {
      hint: `Put a bar between commands: browse chain '${line}'`,
      details: error.details,
    });
  }
}
