/** What `network` answers, for programs and for people. */
import * as v from "valibot";
import type { NetworkEntry } from "../../../browser/capture/network_capture.ts";

const HeadersSchema = v.record(v.string(), v.string());

const BodySchema = v.strictObject({
  text: v.exactOptional(v.pipe(v.string(), v.description("The part from `offset`, secrets redacted"))),
  offset: v.exactOptional(v.pipe(v.number(), v.description("Characters before it"))),
  characters: v.exactOptional(v.pipe(v.number(), v.description("Of the whole body"))),
  missing: v.exactOptional(v.pipe(v.string(), v.description("Why it cannot be shown"))),
});

export const EntrySchema = v.strictObject({
  id: v.number(),
  method: v.string(),
  url: v.string(),
  resourceType: v.string(),
  status: v.exactOptional(v.number()),
  statusText: v.exactOptional(v.string()),
  bytes: v.exactOptional(v.pipe(v.number(), v.description("Size of the encoded body"))),
  durationMs: v.exactOptional(v.number()),
  waitMs: v.exactOptional(v.pipe(v.number(), v.description("Of this, until the answer began"))),
  failure: v.exactOptional(v.string()),
  redirectedFrom: v.exactOptional(v.pipe(v.number(), v.description("Id of the request that led here"))),
  frames: v.exactOptional(
    v.pipe(
      v.strictObject({ sent: v.number(), received: v.number(), sentBytes: v.number(), receivedBytes: v.number() }),
      v.description("Messages of a WebSocket so far"),
    ),
  ),
  requestHeaders: v.exactOptional(HeadersSchema),
  responseHeaders: v.exactOptional(HeadersSchema),
  requestBody: v.exactOptional(BodySchema),
  responseBody: v.exactOptional(BodySchema),
  time: v.string(),
});

export type Entry = v.InferOutput<typeof EntrySchema>;
export type BodyPart = v.InferOutput<typeof BodySchema>;

export function briefEntry(id: number, { requestHeaders: _, responseHeaders: __, ...entry }: NetworkEntry): Entry {
  return { id, ...entry };
}

export function hasFailed({ failure, status }: Pick<Entry, "failure" | "status">): boolean {
  return (
    (status ?? 0) >= 400 || (failure !== undefined && !isUnread({ failure, ...(status !== undefined && { status }) }))
  );
}

/** The page had its answer, and went on before it was read to the end. */
function isUnread({ failure, status }: Pick<Entry, "failure" | "status">): boolean {
  return failure === "net::ERR_ABORTED" && status !== undefined && status < 400;
}

export function entryText(entry: Entry): string {
  const { id, method, status, failure, url, resourceType, bytes, durationMs } = entry;
  const size = bytes === undefined ? "" : ` ${bytes} B`;
  const took = durationMs === undefined ? "" : ` ${durationMs} ms`;
  const came = (isUnread(entry) ? status : (failure ?? status)) ?? "pending";
  const line = `${id} ${method} ${came} ${url} ${resourceType}${size}${took}`;
  return [
    line,
    ...headerLines(">", entry.requestHeaders),
    ...bodyLines("Sent", entry.requestBody),
    ...headerLines("<", entry.responseHeaders),
    ...bodyLines("Received", entry.responseBody),
  ].join("\n");
}

function headerLines(mark: string, headers: Record<string, string> | undefined): string[] {
  return Object.entries(headers ?? {}).map(([name, value]) => `${mark} ${name}: ${value}`);
}

function bodyLines(what: string, body: BodyPart | undefined): string[] {
  if (!body) return [];
  const { text = "", offset = 0, characters = 0, missing } = body;
  if (missing !== undefined) return [`${what} a body that is not shown: ${missing}`];
  const end = offset + text.length;
  const rest = end < characters ? [`[${characters - end} more characters: --body-offset ${end} goes on]`] : [];
  return ["", text, ...rest];
}
