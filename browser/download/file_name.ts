/** Names for files that come from outside: nothing in them means something to a shell or a file system. */
import { basename } from "node:path";

/** Bytes; a file system's limit is 255, and temporary names are made from these. */
const MAX_LENGTH = 120;

/** Looked at of a suggestion, from its end; a page may suggest megabytes. Characters. */
const MAX_SUGGESTION = 1_000;

/** Names that Windows keeps for devices, whatever their ending. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The page's or server's suggestion as a plain, visible name without a path; `download` when nothing is left of it. */
export function safeFileName(suggested: string): string {
  const plain = basename(suggested.slice(-MAX_SUGGESTION).replaceAll("\\", "/")).replace(/[^\p{L}\p{N}._ -]/gu, "_");
  const trimmed = plain.replace(/^[. -]+/, "").replace(/[. ]+$/, "");
  const name = endOf(trimmed);
  if (name === "") return "download";
  return DEVICES.test(name) ? `_${name}` : name;
}

/** The last part, where the ending is, cut between characters. */
function endOf(name: string): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const character of [...name].reverse()) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_LENGTH) break;
    kept.unshift(character);
  }
  return kept.join("").replace(/^[. -]+/, "");
}
