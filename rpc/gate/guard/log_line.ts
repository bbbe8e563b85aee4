/** A line of a call's log: a sentence of ours, and what it quotes is somebody else's. */
import { nameShown } from "../../../security/content/invisible.ts";
import { findStructure } from "../../../security/content/structure.ts";
import { THRESHOLDS } from "../../../security/content/verdict.ts";
import { WITHHELD } from "./content_guard.ts";
import { withQuotedRuns } from "./quoted_parts.ts";

/** Characters: no order of use fits into less, and floods are made of such lines. */
const MIN_JUDGED = 24;

/**
 * On one line, its quotes short, and without those that are built to steer. A line has no warning above it, and waits for
 * no classifier: the structure alone withholds here, and sooner than on a page.
 */
export function logLine(message: string, { unsafe = false }: { unsafe?: boolean }): string {
  const shown = (run: string) => (!unsafe && run.length >= MIN_JUDGED && isSteering(run) ? WITHHELD : run);
  return nameShown(withQuotedRuns(message, shown));
}

/** As it is read: what ends its lines is written `\n` there. */
function isSteering(run: string): boolean {
  const [worst] = findStructure(run.replaceAll("\\n", "\n"), { isName: true });
  return worst !== undefined && worst.score >= THRESHOLDS.second;
}
