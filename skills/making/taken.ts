/** Which params of a call a script takes from what an earlier one answered. */
import type { Origin } from "../../rpc/events/call_memory.ts";
import type { RecordedCall } from "./recording.ts";

/** Params that name an element, in the order in which a call looks them up. */
export const TARGETS: readonly string[] = ["target", "into", "onto", "what", "gone"];
export const OPENS: ReadonlySet<string> = new Set(["goto", "newtab"]);

/** Reason enough to keep the call that answered it. An address that is opened is none: whoever typed it knew it, as far as can be told. */
export function takenBy({ command, params, from = [] }: RecordedCall): Origin[] {
  return from.filter(({ param, path }) => {
    const isAddress = OPENS.has(command) && param === "url";
    return !isAddress && !TARGETS.includes(param) && param in params && isTakeable(path);
  });
}

/** Can a script take it from there: a member, and not a line of a text or a name of the page's own? */
export function isTakeable(path: string): boolean {
  return !/[:*]/.test(path);
}
