/** Text of pages, marked for everyone but the user and scripts of skills, and what comes back with the mark. */
import type { CommandResult } from "../../../commands/command.ts";
import { carries, markerFor, weave } from "../../../security/content/datamark.ts";
import type { Finding } from "../../../security/content/finding.ts";
import type { Token } from "../../../security/tokens/token.ts";
import type { ReadyCall } from "../call_gate.ts";
import { type OutgoingCall, sentTexts } from "./outgoing.ts";

/** As sure as one mark makes it: an agent may have been asked to pass on what it read. */
const SCORE = 0.8;

/** The result with its running text marked, where the command has some and the caller is one who reads it. */
export function datamarked({ command, caller }: Pick<ReadyCall, "command" | "caller">, result: CommandResult) {
  const { datamark } = command;
  const text = datamark === undefined ? undefined : result[datamark];
  if (datamark === undefined || typeof text !== "string" || !isMarked(caller.token)) return result;
  return { ...result, [datamark]: weave(text, markerFor(caller.token.id)) };
}

/** What the call would send of text that its caller was given marked. */
export function markersIn({ command, params, token }: Omit<OutgoingCall, "place">): Finding[] {
  if (!isMarked(token) || (command.effect === "none" && command.urls.length === 0)) return [];
  const marker = markerFor(token.id);
  const sent = sentTexts(command, params).find(({ text }) => carries(text, marker));
  if (!sent) return [];
  const says = `${sent.where} has the mark of text that this agent read from a page (${marker}): somebody may be taking it away`;
  return [{ layer: "marker", score: SCORE, says }];
}

/** A skill's script works on the text itself; what it gives is marked as a page's where it is answered. */
function isMarked({ kind }: Token): boolean {
  return kind !== "root" && kind !== "skill";
}
