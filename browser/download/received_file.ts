/** A file that the browser has fetched, before it is decided whether and where it is kept. */
import { BrowseError } from "../../errors.ts";

export interface ReceivedFile {
  /** Where it came from in the end. */
  url: string;
  /** Addresses passed through, in order, the requested one first. */
  redirects: string[];
  /** MIME type that the sender gives, in lower case, without parameters; empty when it gives none. */
  type: string;
  /** The file name that the sender, or its address, suggests, as it is. */
  name: string;
  /** Its bytes; to be read once. */
  content: AsyncIterable<Uint8Array>;
}

/** Of one file, unless its caller says otherwise. */
export const DEFAULT_MAX_BYTES = 200_000_000;

/** What is asked of a transfer, whatever way it takes. */
export interface TransferOptions {
  /** Rejects for an address that must not be asked. */
  checkHop: (url: string) => Promise<void>;
  /** The page that the address was found on. */
  referrer?: string;
  /** More bytes are `too_large`. */
  maxBytes: number;
  onProgress?: (done: number, total?: number) => void;
  signal: AbortSignal;
}

/** Playlists of videos that come in pieces: by MIME type, else by how the address ends. */
function streamOf({ url, type }: { url: string; type: string }): "HLS" | "DASH" | undefined {
  const path = URL.parse(url)?.pathname ?? "";
  if (/mpegurl/i.test(type) || /\.m3u8$/i.test(path)) return "HLS";
  return /dash\+xml/i.test(type) || /\.mpd$/i.test(path) ? "DASH" : undefined;
}

/** Throws `unsupported` for a playlist. */
export function refuseStreams(source: { url: string; type: string }): void {
  const stream = streamOf(source);
  if (stream) throw streamRefusal(stream);
}

export function streamRefusal(stream: "HLS" | "DASH"): BrowseError {
  const message = `This is not a file but ${stream === "HLS" ? "an HLS" : "a DASH"} stream, which comes in many pieces`;
  return new BrowseError("unsupported", message, {
    hint: "Look for a plain file among its sources with `browse media --videos`, or play it and record the tab with `browse record`",
    details: { stream },
  });
}

export function tooLarge(maxBytes: number, bytes?: number): BrowseError {
  const limit = `${Math.round(maxBytes / 1_000_000)} MB`;
  const size = bytes === undefined ? "" : ` of ${Math.ceil(bytes / 1_000_000)} MB`;
  return new BrowseError("too_large", `The file${size} is over the limit of ${limit}`, {
    hint: "Allow more with --max-megabytes",
    details: { maxBytes, ...(bytes !== undefined && { bytes }) },
  });
}
