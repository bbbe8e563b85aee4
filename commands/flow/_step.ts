/** One command of several that run in one call: how it went, and what may not be among them. */
import * as v from "valibot";
import { BrowseError, ERROR_KINDS, type ErrorKind, forCommand, toBrowseError } from "../../errors.ts";
import type { BaseContext, PreparedCall } from "../context.ts";

export const StepSchema = v.strictObject({
  command: v.string(),
  outcome: v.pipe(v.string(), v.description('"ok", "not run", or the kind of the error')),
  result: v.exactOptional(v.record(v.string(), v.unknown())),
  text: v.string(),
});

export type Step = v.InferOutput<typeof StepSchema>;

/** As many as a JSON-RPC batch may hold (protocol.md, Envelope guard). */
export const MAX_STEPS = 50;

/** Commands that hold others: one inside the other would slip past the limit on their number. */
const HOLDERS = new Set(["batch", "chain", "tab-each"]);

/** Parses and authorizes a command that is to run in another one, `holder`. Throws what there is to refuse. */
export function preparedIn(context: BaseContext, holder: string, argv: readonly string[]): PreparedCall {
  const call = context.prepare(argv);
  const { name } = call.command;
  if (!HOLDERS.has(name)) return call;
  throw new BrowseError("invalid_params", `A ${holder} cannot hold ${name === holder ? "another" : "a"} ${name}`);
}

export function notRun({ command }: PreparedCall): Step {
  return { command: command.name, outcome: "not run", text: "not run" };
}

/** What the first that failed would exit with alone. */
export function exitCodeOf(steps: readonly Pick<Step, "outcome">[]): number {
  const failed = steps.find(({ outcome }) => outcome in ERROR_KINDS);
  return failed ? ERROR_KINDS[failed.outcome as ErrorKind].exitCode : 0;
}

/** Never rejects: a failure is in the outcome. */
export async function runStep(call: PreparedCall): Promise<Step> {
  const command = call.command.name;
  try {
    const { result, text } = await call.run();
    return { command, outcome: "ok", result, text };
  } catch (error) {
    const { kind, message, hint } = forCommand(toBrowseError(error), command);
    return { command, outcome: kind, text: `Error: ${message}. ${hint}` };
  }
}
