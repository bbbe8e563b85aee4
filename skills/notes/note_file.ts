/** The name of the file that the notes about a host are in. */
import { hostNamed } from "../../security/urls/host_name.ts";

const ENDING = ".jsonl";

/** Nothing in it means anything to a file system. */
export function fileNameOf(host: string): string {
  return `${encodeURIComponent(host)}${ENDING}`;
}

/** The host of that file; undefined for what is no file of ours. */
export function hostOfFile(name: string): string | undefined {
  if (!name.endsWith(ENDING)) return undefined;
  try {
    const host = hostNamed(decodeURIComponent(name.slice(0, -ENDING.length)));
    return fileNameOf(host) === name ? host : undefined;
  } catch {
    return undefined;
  }
}
