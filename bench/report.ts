/** Results for people: a table on the terminal, a page for `docs/`. */
import type { Machine } from "./machine.ts";
import { type Figure, missedBy, type Scenario, type Unit } from "./scenario.ts";

export interface ScenarioResult extends Pick<Scenario, "group" | "name" | "target"> {
  figures: Figure[];
  /** Why there are none. */
  failure?: string;
}

const COLUMNS = ["figure", "median", "best", "p95", "must be", "verdict"] as const;

export function terminalTable({ name, target, figures, failure }: ScenarioResult): string {
  const heading = `${name}\n  must reach: ${target}`;
  if (failure) return `${heading}\n  FAILED: ${failure}\n`;
  const rows = [COLUMNS, ...figures.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${heading}\n${lines.map((line) => `  ${line.trimEnd()}\n`).join("")}`;
}

export function markdownPage(results: readonly ScenarioResult[], machine: Machine, notes: readonly string[]): string {
  const { processor, cores, memoryGigabytes, system, node, chromium } = machine;
  const head = [
    "# Benchmarks",
    "",
    "Written by `npm run bench -- --write`; read `bench/scenarios/` for what each row does.",
    "",
    `Measured on ${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}, Node ${node}, Chromium ${chromium}.`,
    ...notes,
  ];
  const tables = results.map(({ name, target, figures, failure }) =>
    [
      `## ${name}`,
      "",
      `Must reach: ${target}`,
      "",
      ...(failure
        ? [`Failed: ${failure}`]
        : [markdownRow(COLUMNS), `|${"---|".repeat(COLUMNS.length)}`, ...figures.map(cells).map(markdownRow)]),
    ].join("\n"),
  );
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`;
}

/** How many figures have a limit, and how many of those miss it. */
export function summary(results: readonly ScenarioResult[]): string {
  const judged = results.flatMap(({ figures }) => figures).filter(({ limit }) => limit);
  const missed = judged.filter((figure) => missedBy(figure) > 0);
  const failed = results.filter(({ failure }) => failure).length;
  return `${judged.length - missed.length} of ${judged.length} targets met${failed > 0 ? `, ${failed} scenarios failed` : ""}`;
}

function cells(figure: Figure): string[] {
  const { name, unit, value, best, p95, limit, note } = figure;
  return [
    name,
    written(value, unit),
    best === undefined ? "" : written(best, unit),
    p95 === undefined ? "" : written(p95, unit),
    limit ? ("atMost" in limit ? `≤ ${written(limit.atMost, unit)}` : `≥ ${written(limit.atLeast, unit)}`) : "",
    [verdict(figure), note].filter((part) => part).join(", "),
  ];
}

function verdict(figure: Figure): string {
  if (!figure.limit) return "";
  const missed = missedBy(figure);
  if (missed === 0) return "met";
  return Number.isFinite(missed) ? `MISSED by ${Math.max(1, Math.round(missed * 100))} %` : "MISSED";
}

function written(value: number, unit: Unit): string {
  const digits = unit === "×" ? 2 : unit === "ms" && value < 100 ? (value < 1 ? 3 : 1) : unit === "MB" ? 1 : 0;
  const number = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number} ${unit}`;
}

function markdownRow(row: readonly string[]): string {
  return `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
