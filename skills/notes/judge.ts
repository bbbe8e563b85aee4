/** What the content guard's layers say of a text that agents left, before another one is given it. */

import type { ScanOptions } from "../../security/content/scan.ts";
import { scanText } from "../../security/content/scan.ts";
import { VERDICTS, type Verdict } from "../../security/content/verdict.ts";

export type Layers = Pick<ScanOptions, "classifier" | "transcriptCheck">;

export interface Judged {
  verdict: Verdict;
  warnings: string[];
  /** The classifier gave a score: without one, nothing is known to be harmless. */
  isWhole: boolean;
}

/** Scores are kept by content, so that what is given again and again costs nothing. Rejects with the reason of `signal`. */
export async function judge(text: string, layers: Layers, signal: AbortSignal): Promise<Judged> {
  const { verdict, warnings, layers: reports } = await scanText(text, { ...layers, signal });
  const isWhole = reports.every(({ layer, status }) => layer !== "classifier" || status === "ran");
  return { verdict, warnings: verdict === "allow" ? [] : warnings.map(withoutQuote), isWhole };
}

/** Whoever is warned of the words is not to read them in ours. */
function withoutQuote(warning: string): string {
  return warning.replace(/: ".*$/s, "");
}

export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((a, b) => (VERDICTS.indexOf(b) > VERDICTS.indexOf(a) ? b : a), "allow");
}

/** Is the text one that may be given unasked, as far as the layers can tell? */
export function isUnflagged({ verdict }: Judged): boolean {
  return verdict === "allow" || verdict === "log";
}
