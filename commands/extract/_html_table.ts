/** HTML tables as grids: each cell in every place it spans. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { staleRef } from "../../refs/find/stale.ts";
import { resolve } from "../../refs/find/target.ts";
import type { TableDescription, TableRow } from "../../refs/page/extract/protocol.ts";
import { ask } from "../../refs/reader.ts";
import { labelOf } from "../../refs/ref_table.ts";
import type { HiddenTexts } from "../../security/content/hidden_text.ts";

export interface Table {
  caption: string;
  /** Of the rows that head the table; several are joined with a slash. Empty when there are none. */
  columns: string[];
  /** All of one length. */
  rows: string[][];
}

interface TableOptions {
  signal: AbortSignal;
  /** Is told what nobody sees of its text. */
  onHidden?: (hidden: HiddenTexts) => void;
}

/** Places of one grid: spans can make few cells many. */
const MAX_PLACES = 500_000;

/** Throws what `resolve` throws, `invalid_params` and `ambiguous` for other than one table, `too_large`. */
export async function readTable(tab: Tab, target: string, { signal, onHidden }: TableOptions): Promise<Table> {
  const ref = await resolve(tab, target, { signal });
  const answer = await ask(ref.frame, "tables", { doc: ref.doc, n: ref.n }, { signal });
  if (answer.state === "gone") throw staleRef(ref, answer);
  const [table] = answer.tables;
  if (!table) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} is not a table and contains none`, {
      hint: "Only HTML tables are read; `browse text` reads grids made of other elements",
    });
  }
  if (answer.count > 1) {
    throw new BrowseError("ambiguous", `${labelOf(ref)} holds ${answer.count} tables`, {
      hint: "Name one of them: `browse table 'table:nth-of-type(2)'`, or its ref",
      details: { count: answer.count },
    });
  }
  if (table.hidden) onHidden?.(table.hidden);
  return tableOf(table);
}

/** Heading rows are those of `thead`, else the first ones that hold nothing but header cells. */
export function tableOf({ caption, rows }: TableDescription): Table {
  const grid = gridOf(rows);
  const heads = headCount(rows);
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const full = grid.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ""));
  return {
    caption,
    columns: heads === 0 ? [] : Array.from({ length: width }, (_, column) => headingOf(full.slice(0, heads), column)),
    rows: full.slice(heads),
  };
}

function headCount(rows: readonly TableRow[]): number {
  // They come first, wherever they are written.
  const inHead = rows.filter(({ isHead }) => isHead).length;
  if (inHead > 0) return inHead;
  const first = rows.findIndex(({ cells }) => cells.length === 0 || cells.some(({ isHeader }) => !isHeader));
  // A table of nothing but header cells has no data to be headed.
  return first === -1 ? 0 : first;
}

/** The words above a column, each said once. */
function headingOf(heads: readonly string[][], column: number): string {
  const words = heads.map((row) => row[column] ?? "").filter((word) => word !== "");
  return [...new Set(words)].join(" / ");
}

/** The table model of HTML, "forming a table": a cell fills every place it spans, and pushes others to the right. */
export function gridOf(rows: readonly TableRow[]): string[][] {
  const grid: string[][] = rows.map(() => []);
  let places = 0;
  for (const [index, { cells, group }] of rows.entries()) {
    const groupEnd = rows.findIndex((row, other) => other > index && row.group !== group);
    const lastRow = groupEnd === -1 ? rows.length : groupEnd;
    let column = 0;
    for (const { text, columns, rows: spanned } of cells) {
      while (grid[index]?.[column] !== undefined) column++;
      const end = spanned === 0 ? lastRow : Math.min(index + spanned, lastRow);
      places += (end - index) * columns;
      if (places > MAX_PLACES) {
        throw new BrowseError("too_large", `The table spans more than ${MAX_PLACES} places`);
      }
      for (let row = index; row < end; row++) fill(grid[row] ?? [], column, columns, text);
      column += columns;
    }
  }
  return grid;
}

/** Where two cells overlap, which HTML calls an error, the first stays. */
function fill(row: string[], from: number, count: number, text: string): void {
  for (let column = from; column < from + count; column++) row[column] ??= text;
}
