/** What a script gave, as an answer: typed for programs, text for terminals, a file for `--out`. */

import * as v from "valibot";
import { assertFitsName, HEAD_BYTES, kindOf } from "../../browser/download/file_kind.ts";
import { BrowseError } from "../../errors.ts";
import { counted } from "../../wording.ts";
import type { BaseContext } from "../context.ts";
import { jsonLines } from "../json_lines.ts";
import { FileName, Force, writesFile } from "../params.ts";

export const ScriptResultSchema = v.strictObject({
  value: v.exactOptional(v.pipe(v.unknown(), v.description("JSON value; absent when undefined, or written to a file"))),
  file: v.exactOptional(v.pipe(v.string(), v.description("Where --out wrote it"))),
  bytes: v.exactOptional(v.number()),
});

export type ScriptResult = v.InferOutput<typeof ScriptResultSchema>;

export const outParams = {
  out: v.exactOptional(v.pipe(FileName, v.description("Write the value to this file"), writesFile())),
  raw: v.exactOptional(v.pipe(v.boolean(), v.description("Write a data URL as it is instead of decoding it"))),
  force: Force,
};

interface OutOptions {
  out?: string | undefined;
  raw?: boolean | undefined;
}

/** The script's value as the answer, or in the file that `out` names. Throws `blocked_path` for a name of another kind. */
export async function scriptResult(
  context: BaseContext,
  value: unknown,
  { out, raw }: OutOptions,
): Promise<ScriptResult> {
  if (out === undefined) return value === undefined ? {} : { value };
  const text = valueText(value);
  const decoded = raw ? undefined : decodedDataUrl(text);
  if (decoded) {
    const kind = await kindOf(decoded.content.subarray(0, HEAD_BYTES), decoded.type);
    await assertFitsName(out, kind, { mustPromise: context.holder.kind !== "root" });
  }
  return { file: out, bytes: await context.save(out, decoded?.content ?? text) };
}

export function scriptText({ value, file, bytes }: ScriptResult): string {
  return file === undefined ? valueText(value) : `Wrote ${counted(bytes ?? 0, "byte")} to ${file}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : (jsonLines(value) ?? String(value));
}

const DATA_URL = /^data:([^,;]*)[^,]*?(;base64)?,/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Of a data URL that names none (RFC 2397). */
const DEFAULT_TYPE = "text/plain";

function decodedDataUrl(text: string): { type: string; content: Uint8Array } | undefined {
  const head = DATA_URL.exec(text);
  if (!head) return undefined;
  const content = decodedData(text.slice(head[0].length), head[2] !== undefined);
  return { type: head[1]?.trim().toLowerCase() || DEFAULT_TYPE, content };
}

function decodedData(body: string, isBase64: boolean): Uint8Array {
  try {
    const plain = decodeURIComponent(body);
    if (!isBase64) return Buffer.from(plain, "utf8");
    if (BASE64.test(plain) && plain.length % 4 !== 1) return Buffer.from(plain, "base64");
  } catch {
    // Malformed percent escapes: told below like malformed base64.
  }
  throw new BrowseError("script_error", "The script returned a data URL whose data is malformed", {
    hint: "Use --raw to write it as it is",
  });
}
