import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { type ScanOptions, scanText } from "../../security/content/scan.ts";
import { boundedLines } from "../../security/files/bounded_lines.ts";
import { defineCommand } from "../command.ts";
import type { BaseContext } from "../context.ts";
import { FileName, isSecret, readsFile } from "../params.ts";

const FindingSchema = v.strictObject({
  kind: v.string(),
  count: v.number(),
  score: v.number(),
  says: v.exactOptional(v.pipe(v.string(), v.description("What a hidden text says, where that can be told"))),
});

const ReportSchema = v.strictObject({
  verdict: v.picklist(["allow", "log", "warn", "block"]),
  score: v.pipe(v.number(), v.description("0 to 1, the highest of the layers'")),
  layers: v.array(
    v.strictObject({
      layer: v.picklist(["structure", "classifier", "transcript"]),
      status: v.pipe(v.picklist(["ran", "missing"]), v.description("missing: its score says nothing")),
      score: v.number(),
      findings: v.array(FindingSchema),
      reason: v.exactOptional(v.pipe(v.string(), v.description("Why it is missing, or gave that score"))),
      span: v.exactOptional(
        v.pipe(
          v.tuple([v.number(), v.number()]),
          v.description("Where the worst part of the text begins and ends, in UTF-16 units"),
        ),
      ),
      covered: v.exactOptional(
        v.pipe(v.number(), v.description("The share of the text that the classifier has seen, 0 to 1")),
      ),
    }),
  ),
  warnings: v.array(v.string()),
});

/** In the place of a report, so that results stay in step with lines. */
const LineErrorSchema = v.strictObject({ error: v.string() });

type Line = v.InferInput<typeof ReportSchema> | v.InferInput<typeof LineErrorSchema>;
type Lines = AsyncIterable<string | undefined>;

/** One text a line: in an object, beside whatever else, or as it is. */
const LineSchema = v.union([v.looseObject({ text: v.string() }), v.string()]);
/** A longer text is no page's. */
const MAX_TEXT_BYTES = 10_000_000;
/** Lines between two looks at what else there is to do. */
const LINES_PER_TURN = 50;

export default defineCommand({
  name: "scan",
  category: "security",
  summary: "Check a text for hidden content and injected orders: run the content guard on a file or standard input",
  description:
    "Looks for characters and markup that hide text from people, for forged marks, and by the content classifier for words " +
    "that give orders to whoever reads them. A layer that gave no score says why. With --jsonl each line is " +
    '{"text": …} or a JSON string, and is answered by one line, in order, at once.',
  scope: "admin",
  effect: "none",
  needs: "daemon",
  output: "plain",
  // The caller's own text: it is quoted to say what was found in it.
  fromPage: "nothing",
  timeoutMs: 3_600_000,
  params: v.strictObject({
    file: v.exactOptional(v.pipe(FileName, v.description("The text"), readsFile())),
    text: v.exactOptional(
      v.pipe(v.string(), v.description("The text itself; - reads it from standard input"), isSecret()),
    ),
    jsonl: v.exactOptional(
      v.pipe(v.boolean(), v.description('One {"text": …} or JSON string a line, one result a line')),
    ),
    source: v.exactOptional(
      v.pipe(
        v.string(),
        v.check((url) => URL.canParse(url), "must be a URL"),
        v.description("Where the text came from; named in warnings"),
      ),
    ),
  }),
  cli: { positional: ["file"], stdin: "text" },
  result: v.union([
    ReportSchema,
    v.strictObject({
      scanned: v.pipe(v.number(), v.description("Lines, those that could not be read included")),
      unreadable: v.number(),
      results: v.pipe(
        v.array(v.union([ReportSchema, LineErrorSchema])),
        v.description("Empty when they were printed one by one"),
      ),
    }),
  ]),
  examples: ["browse scan receipt.txt", `browse scan --text "Lamp, 20 €" --source https://shop.example/`],
  async run(context, { file, text, jsonl, source }) {
    if ((file === undefined) === (text === undefined)) {
      throw new BrowseError("invalid_params", '"scan" takes a file, or - and text on standard input');
    }
    const options = { ...context.daemon.content, signal: context.signal, source };
    if (jsonl) return await scanLines(context, linesOf(file, text), options);
    return await scanText(file === undefined ? (text ?? "") : await contentOf(file, context.signal), options);
  },
  exitCode: (result) => ("unreadable" in result && result.unreadable > 0 ? 1 : 0),
  render(result) {
    if ("results" in result) return result.results.map((line) => JSON.stringify(line)).join("\n");
    return [`verdict: ${result.verdict} (score ${result.score})`, ...result.warnings].join("\n");
  },
});

async function contentOf(file: string, signal: AbortSignal): Promise<string> {
  const { size } = await stat(file);
  if (size <= MAX_TEXT_BYTES) return await readFile(file, { encoding: "utf8", signal });
  const most = `over the ${MAX_TEXT_BYTES} that are scanned at once`;
  throw new BrowseError("too_large", `The text has ${size} bytes, ${most}`, { hint: "Scan it in parts with --jsonl" });
}

function linesOf(file: string | undefined, text: string | undefined): Lines {
  return boundedLines(file === undefined ? [text ?? ""] : createReadStream(file, "utf8"), MAX_TEXT_BYTES);
}

async function scanLines({ stream, signal }: BaseContext, lines: Lines, options: ScanOptions) {
  const results: Line[] = [];
  let scanned = 0;
  let unreadable = 0;
  for await (const line of lines) {
    if (line?.trim() === "") continue;
    const result = await scanLine(line, ++scanned, options);
    if ("error" in result) unreadable++;
    if (stream) stream(`${JSON.stringify(result)}\n`);
    else results.push(result);
    if (scanned % LINES_PER_TURN !== 0) continue;
    await nextTurn();
    signal.throwIfAborted();
  }
  return { scanned, unreadable, results };
}

async function scanLine(line: string | undefined, number: number, options: ScanOptions): Promise<Line> {
  if (line === undefined) return { error: `Line ${number} is longer than ${MAX_TEXT_BYTES} characters` };
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { error: `Line ${number} is not JSON` };
  }
  const known = v.safeParse(LineSchema, parsed);
  if (!known.success) return { error: `Line ${number} has no "text"` };
  return await scanText(typeof known.output === "string" ? known.output : known.output.text, options);
}
