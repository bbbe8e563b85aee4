/** Captured requests as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), without bodies of answers. */
import type { Request } from "playwright";
import type { NetworkEntry } from "../../../browser/capture/network_capture.ts";
import type { HeaderFields } from "../../../browser/capture/own_headers.ts";
import { redactParams, redactUrl } from "../../../security/secrets/redact.ts";
import { REDACTED } from "../../../security/secrets/secret_shapes.ts";
import { requestBody } from "./_network_body.ts";

export interface HarSource {
  entries: readonly { id: number; entry: NetworkEntry; request: Request | undefined }[];
  pageUrl: string;
  /** Our own version. */
  version: string;
  browserVersion: string;
  ownHeaders: HeaderFields;
}

/** The archive as JSON, its secrets redacted. */
export function harText({ entries, pageUrl, version, browserVersion, ownHeaders }: HarSource): string {
  const startedDateTime = entries[0]?.entry.time ?? new Date().toISOString();
  const log = {
    version: "1.2",
    creator: { name: "browse", version },
    browser: { name: "Chromium", version: browserVersion },
    pages: [{ startedDateTime, id: "page", title: redactUrl(pageUrl), pageTimings: {} }],
    entries: entries.map(({ id, entry, request }) => ({
      pageref: "page",
      startedDateTime: entry.time,
      time: entry.durationMs ?? 0,
      request: harRequest(entry, request, ownHeaders),
      response: harResponse(entry),
      cache: {},
      timings: timingsOf(entry),
      comment: `browse network ${id}`,
    })),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function harRequest(entry: NetworkEntry, request: Request | undefined, ownHeaders: HeaderFields): object {
  const url = plainUrl(entry.url);
  const body = request && requestBody(request, { ownHeaders });
  const mimeType = entry.requestHeaders["content-type"] ?? "application/octet-stream";
  const text = body && ("text" in body ? body.text : `[${body.missing}]`);
  return {
    method: entry.method,
    url,
    httpVersion: "",
    cookies: [],
    headers: headerList(entry.requestHeaders),
    queryString: queryOf(url),
    ...(text !== undefined && { postData: { mimeType, params: [], text } }),
    headersSize: -1,
    bodySize: -1,
  };
}

/** A request without an answer has the status 0, as in the browsers' own archives. */
function harResponse(entry: NetworkEntry): object {
  const headers = entry.responseHeaders ?? {};
  return {
    status: entry.status ?? 0,
    statusText: entry.statusText ?? "",
    httpVersion: "",
    cookies: [],
    headers: headerList(headers),
    content: { size: entry.bytes ?? 0, mimeType: headers["content-type"] ?? "" },
    redirectURL: plainUrl(headers.location ?? ""),
    headersSize: -1,
    bodySize: entry.bytes ?? -1,
    ...(entry.failure !== undefined && { comment: entry.failure }),
  };
}

function timingsOf({ durationMs = 0, waitMs = 0 }: NetworkEntry): object {
  const wait = Math.min(waitMs, durationMs);
  return { send: 0, wait, receive: durationMs - wait };
}

function headerList(headers: HeaderFields): { name: string; value: string }[] {
  return Object.entries(redactParams(headers, [])).map(([name, value]) => ({ name, value: String(value) }));
}

/** Brackets are not allowed in a URL's query. */
function plainUrl(url: string): string {
  return redactUrl(url).replaceAll(REDACTED, "redacted");
}

function queryOf(url: string): { name: string; value: string }[] {
  return [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
}
