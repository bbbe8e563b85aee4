/** What a call answers, from what its command returned: secrets redacted, and printed as its client asked. */
import type { EffectReport } from "../../browser/effect_report.ts";
import { artifactPath } from "../../commands/artifact.ts";
import { authorityOf, type CommandResult } from "../../commands/command.ts";
import { effectText } from "../../commands/effect_text.ts";
import { redactParams } from "../../security/secrets/redact.ts";
import { fileContent, isCut, print } from "../line/print.ts";
import { wellFormedText } from "../line/terminal.ts";
import type { Answer } from "./call.ts";
import type { CallFiles } from "./call_files.ts";
import type { ReadyCall } from "./call_gate.ts";

export interface PrintPorts {
  files: CallFiles;
  /** Where its caller's artifacts are. */
  artifactsDir: string;
}

/** Where a plain answer may be printed piece by piece; undefined where it is wanted whole. */
export function streamOf({ command, options, out }: ReadyCall): ((text: string) => void) | undefined {
  const isWhole = command.output !== "plain" || options.print?.format !== "text" || out !== undefined;
  return isWhole ? undefined : options.notify?.print;
}

export function answerOf(
  { command, params }: ReadyCall,
  result: CommandResult,
  effect: EffectReport | undefined,
): Answer {
  const { output } = authorityOf(command, params);
  const safe = output === "secret" ? (redactParams(result, []) as CommandResult) : result;
  let text: string | undefined;
  return {
    command: command.name,
    result: safe,
    hasFailed: command.hasFailed?.(safe) ?? false,
    // Programs take the result: setting thousands of lines for them would cost as much as reading the page.
    get text() {
      text ??=
        wellFormedText(safe, (known) => command.render(known, params, effect)) + (effect ? effectText(effect) : "");
      return text;
    },
  };
}

/** The answer with its text as it is to be shown, or with that of the file that it was written to. */
export async function printed(call: ReadyCall, answer: Answer, ports: PrintPorts): Promise<Answer> {
  const { command, options, out } = call;
  if (!options.print) return answer;
  if (out === undefined) {
    const { isWhole = false, isLog = false } = command;
    const isDone = call.effect !== "none";
    const whole = { ...answer, isWhole, isLog, isDone };
    const keptIn = isDone && isCut(whole, options.print) ? await keep(answer, ports) : undefined;
    return { ...answer, text: print({ ...whole, ...(keptIn !== undefined && { keptIn }) }, options.print) };
  }
  const bytes = await ports.files.save(out, fileContent(answer, options.print));
  return { ...answer, text: `Wrote ${bytes} bytes to ${out}` };
}

/** All of an answer that nobody can ask for again. What was done is done, wherever there is no room for the file. */
async function keep(answer: Answer, { files, artifactsDir }: PrintPorts): Promise<string | undefined> {
  const path = artifactPath({ artifactsDir }, answer.command, ".txt");
  try {
    await files.save(path, fileContent(answer, { format: "text" }));
    return path;
  } catch {
    return undefined;
  }
}
