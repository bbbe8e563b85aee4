/** What a request of a page says to its server, as texts that may be looked through. */
import type { Outgoing } from "../../security/content/canary.ts";
import type { Send } from "../emulation/child_frames.ts";

/** As CDP tells of it: `Network.Request`. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
  hasPostData?: boolean;
  postData?: string;
  /** In base64. */
  postDataEntries?: { bytes?: string }[];
}

interface PausedSend {
  request: SentRequest;
  networkId?: string;
}

/** A body that is no shorter may go on. Characters; Chromium tells 65,536 bytes and more. */
const CUT_AT = 50_000;

/** Address, headers and body. A long body, or one that is not text, is asked for. */
export async function sentTexts({ request, networkId }: PausedSend, ask: Send): Promise<Outgoing[]> {
  const inline = inlineTexts(request);
  const isWhole = !request.hasPostData || (request.postData !== undefined && request.postData.length < CUT_AT);
  if (isWhole || networkId === undefined) return inline;
  // A body that the browser cannot tell has no text in it: files, which were looked into when they were given.
  const body = await ask("Network.getRequestPostData", { requestId: networkId }).catch(() => undefined);
  return body ? [...inline, { where: "a request's body", text: (body as { postData: string }).postData }] : inline;
}

/** What the browser tells of it by itself. */
export function inlineTexts({ url, headers, postData, postDataEntries = [] }: SentRequest): Outgoing[] {
  const body =
    postData ?? postDataEntries.map(({ bytes = "" }) => Buffer.from(bytes, "base64").toString("latin1")).join("");
  return [
    { where: "a request's address", text: url },
    { where: "a request's headers", text: Object.entries(headers).flat().join(" ") },
    ...(body === "" ? [] : [{ where: "a request's body", text: body }]),
  ];
}

interface SocketEvent {
  /** Of one that is made. */
  url?: string;
  /** Of a frame that was sent: base64 where it is binary, which is one of the encodings that are looked for. */
  response?: { payloadData: string };
}

export function sentOnSocket(event: unknown): { url: string; texts: Outgoing[] } {
  const { url = "", response } = event as SocketEvent;
  const texts = response
    ? [{ where: "a WebSocket's message", text: response.payloadData }]
    : [{ where: "a WebSocket's address", text: url }];
  return { url, texts };
}

export function isLeak(error: unknown): boolean {
  return error instanceof Error && "kind" in error && error.kind === "blocked_content";
}

/** Where it was to go. What follows the host is what was not to be sent. */
export function withoutLeak(url: string): string {
  const origin = URL.parse(url)?.host;
  return origin === undefined ? "a WebSocket" : `${url.slice(0, url.indexOf(":"))}://${origin}/`;
}
