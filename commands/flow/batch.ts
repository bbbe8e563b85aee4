import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import { BatchOrder, placeOfWork } from "../batch_order.ts";
import { defineCommand } from "../command.ts";
import type { BaseContext, PreparedCall } from "../context.ts";
import { FileName, isSecret, readsFile } from "../params.ts";
import { parseBatch } from "./_chain_syntax.ts";
import { exitCodeOf, preparedIn, runStep, type Step, StepSchema } from "./_step.ts";

export default defineCommand({
  name: "batch",
  category: "flow",
  summary: "Run the commands of a file, those on different tabs in parallel",
  description:
    "One command line a line, or JSON lists of words; - reads standard input. All are parsed and authorized before the " +
    "first runs. Commands on one tab (--tab) run in order, those on different tabs at once, and one that fails stops no other.",
  scope: "meta",
  effect: "page",
  needs: "daemon",
  output: "page",
  fromPage: "steps",
  timeoutMs: 120_000,
  params: v.strictObject({
    file: v.exactOptional(
      v.pipe(FileName, v.description("One command line a line, or JSON lists of words"), readsFile()),
    ),
    commands: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(1_000_000),
        v.description("The commands themselves; - reads them from standard input"),
        isSecret(),
      ),
    ),
  }),
  cli: { positional: ["file"], stdin: "commands" },
  result: v.strictObject({ steps: v.array(StepSchema), failed: v.number() }),
  examples: ["browse batch look.txt", 'browse batch --commands \'[["url"],["count","a"]]\''],
  async run(context, { file, commands }) {
    if ((file === undefined) === (commands === undefined)) {
      throw new BrowseError("invalid_params", '"batch" takes a file, or - and commands on standard input');
    }
    const text =
      file === undefined ? (commands ?? "") : await readFile(file, { encoding: "utf8", signal: context.signal });
    const calls = parseBatch(text).map((argv) => preparedIn(context, "batch", argv));
    let done = 0;
    const steps = await runInLanes(context, calls, () => context.progress(++done, calls.length, "commands"));
    return { steps, failed: steps.filter(({ outcome }) => outcome !== "ok").length };
  },
  exitCode: ({ steps }) => exitCodeOf(steps),
  render: ({ steps }) => steps.map(({ command, text }) => `${command}: ${text}`).join("\n"),
});

async function runInLanes(
  { sessions, holder }: BaseContext,
  calls: readonly PreparedCall[],
  onDone: () => void,
): Promise<Step[]> {
  const lanes = new BatchOrder((session) => sessions.find(session ?? SHARED_SESSION)?.current(holder)?.id);
  return await Promise.all(
    calls.map(async (call) => {
      const work = { ...call.place, on: placeOfWork(call.command) };
      const ahead = lanes.ahead(work);
      const running = (async () => {
        await ahead;
        const step = await runStep(call);
        onDone();
        return step;
      })();
      lanes.add(work, running);
      return await running;
    }),
  );
}
