/** What a call answers, from what its command returned: secrets redacted, and printed as its client asked. */
import type { EffectReport } from "../../browser/effect_report.ts";
import { artifactPath } from "../../commands/artifact.ts";
import { authorityOf, type CommandResult } from "../../commands/command.ts";
import { effectText } from "../../commands/effect_text.ts";
import { escapedForgery } from "../../security/content/forgery.ts";
import { markedText, newMark, type PageMark, type Segment, segmentsIn } from "../../security/content/page_mark.ts";
import { redactParams } from "../../security/secrets/redact.ts";
import { fileContent, isCut, print } from "../line/print.ts";
import { wellFormedText } from "../line/terminal.ts";
import type { Answer } from "./call.ts";
import type { CallFiles } from "./call_files.ts";
import type { ReadyCall } from "./call_gate.ts";
import { warningOf } from "./guard/content_guard.ts";
import { isEmpty } from "./guard/page_texts.ts";
import { quotedParts } from "./guard/quoted_parts.ts";

export interface PrintPorts {
  files: CallFiles;
  /** Where its caller's artifacts are. */
  artifactsDir: string;
}

/** Whose words an answer has in it. */
export interface Source {
  /** Of the page that it was read from; undefined where there is not one. */
  origin?: string | undefined;
  /** Marks of the answers that it is made of. */
  marks: readonly PageMark[];
}

/** Where a plain answer may be printed piece by piece; undefined where it is wanted whole. */
export function streamOf({ command, options, out }: ReadyCall): ((text: string) => void) | undefined {
  const isWhole = command.output !== "plain" || options.print?.format !== "text" || out !== undefined;
  return isWhole ? undefined : options.notify?.print;
}

/** The command's result without secrets. */
export function safeResult({ command, params }: ReadyCall, result: CommandResult): CommandResult {
  const { output } = authorityOf(command, params);
  return output === "secret" ? (redactParams(result, []) as CommandResult) : result;
}

/** `result` is what the guard has left of it. */
export function answerOf(call: ReadyCall, result: CommandResult, source: Source): Answer {
  const { command } = call;
  let known: readonly Segment[] | undefined;
  const segments = () => {
    known ??= segmentsOf(call, result, source);
    return known;
  };
  return {
    command: command.name,
    result,
    exitCode: command.exitCode?.(result) ?? 0,
    // Programs take the result: setting thousands of lines for them would cost as much as reading the page.
    get segments() {
      return segments();
    },
    get text() {
      return markedText(segments());
    },
  };
}

function segmentsOf({ command, params }: ReadyCall, result: CommandResult, source: Source): readonly Segment[] {
  const { effect, untrusted, ...known } = result;
  const report = effect as EffectReport | undefined;
  const render = (of: CommandResult) => wellFormedText(of, (shown) => command.render(shown, params, report));
  const warning = warningOf(untrusted);
  const warned = warning === undefined ? [] : [{ text: `${warning}\n`, isAside: true as const }];
  const { fromPage, isVerbatim } = command;
  switch (fromPage) {
    case "nothing":
      return [{ text: render(known) }];
    case "steps":
      return segmentsIn(render(known), source.marks);
    case "whole":
      // That there is nothing is ours to say.
      if (isEmpty(known)) return [{ text: render(known) }, ...effectSegments(report, source)];
      return [
        ...warned,
        { text: isVerbatim ? render(known) : escapedForgery(render(known)), mark: newMark(source.origin) },
        ...effectSegments(report, source),
      ];
    case "parts":
      return [...warned, { text: render(quotedParts(known)) }, ...effectSegments(report, source)];
  }
}

/** What the action did is ours to say; the lines that are others now are the page's. */
function effectSegments(effect: EffectReport | undefined, { origin }: Source): Segment[] {
  if (!effect) return [];
  const { line, changes, more } = effectText(quotedParts(effect));
  if (changes.length === 0) return [{ text: line }];
  const lines = `${changes.join("\n")}${more === undefined ? "" : "\n"}`;
  return [
    { text: `${line}\n` },
    { text: escapedForgery(lines), mark: newMark(origin) },
    ...(more === undefined ? [] : [{ text: more }]),
  ];
}

/** The answer with more at the end of its text. */
export function withSegment(answer: Answer, segment: Segment): Answer {
  const segments = [...answer.segments, segment];
  return { ...answer, segments, text: markedText(segments) };
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
  const asides = answer.segments.filter(({ isAside }) => isAside).map(({ text }) => text);
  const isUntrusted = command.fromPage === "whole" || answer.segments.some(({ mark }) => mark);
  return {
    ...answer,
    text: `${asides.join("")}Wrote ${bytes} bytes ${isUntrusted ? "of untrusted page content " : ""}to ${out}`,
  };
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
