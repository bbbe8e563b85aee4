/** What a comparison comes to, and how it is printed. */
import type { Comparison, Difference } from "./compare.ts";
import { type Rule, ruleFor } from "./rules.ts";

export interface Verdict {
  url: string;
  both: number;
  agreeing: number;
  explained: Map<Rule, Difference[]>;
  unexplained: Difference[];
}

export function judge({ url, both, agreeing, differences }: Comparison): Verdict {
  const verdict: Verdict = { url, both, agreeing, explained: new Map(), unexplained: [] };
  for (const difference of differences) {
    const rule = ruleFor(difference);
    if (rule) verdict.explained.set(rule, [...(verdict.explained.get(rule) ?? []), difference]);
    else verdict.unexplained.push(difference);
  }
  return verdict;
}

export function sum(verdicts: readonly Verdict[]): Verdict {
  const all: Verdict = { url: `${verdicts.length} pages`, both: 0, agreeing: 0, explained: new Map(), unexplained: [] };
  for (const { both, agreeing, explained, unexplained } of verdicts) {
    all.both += both;
    all.agreeing += agreeing;
    for (const [rule, cases] of explained) all.explained.set(rule, [...(all.explained.get(rule) ?? []), ...cases]);
    all.unexplained.push(...unexplained);
  }
  return all;
}

/** One page, its explained differences by rule, and each unexplained one. */
export function verdictText(verdict: Verdict): string {
  const lines = [summary(verdict)];
  for (const [rule, cases] of verdict.explained) lines.push(`  ${cases.length} × ${rule.name}`);
  for (const difference of verdict.unexplained) lines.push(`  UNEXPLAINED ${differenceText(difference)}`);
  return lines.join("\n");
}

/** All pages together, with the reason of every rule that was needed. */
export function totalText(total: Verdict): string {
  const rules = [...total.explained].sort((a, b) => b[1].length - a[1].length);
  const table = rules.map(([rule, cases]) => `  ${String(cases.length).padStart(5)} × ${rule.name}: ${rule.reason}`);
  return [summary(total), ...table].join("\n");
}

function summary({ url, both, agreeing, explained, unexplained }: Verdict): string {
  const share = both === 0 ? "–" : `${((100 * agreeing) / both).toFixed(2)} %`;
  const explainedCount = [...explained.values()].flat().length;
  return `${url}: ${agreeing} of ${both} nodes agree in role and name (${share}), ${explainedCount} differences explained, ${unexplained.length} not`;
}

export function differenceText({ what, element, ours, driver }: Difference): string {
  const sides = [ours === undefined ? "" : ` ours ${ours}`, driver === undefined ? "" : ` driver ${driver}`].join("");
  const where = element ? ` · ${element.html} in ${element.inside.slice(0, 3).join(" < ")}` : "";
  return `${what}:${sides}${where}`.replaceAll("\n", " ");
}
