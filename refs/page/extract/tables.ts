/** HTML tables, row by row, with the text that a person sees in each cell. */

import { Reading } from "../aria/reading.ts";
import { attributeOf, elementMatches, includes, tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { queryAcross } from "../find/query.ts";
import type { ElementId } from "../protocol.ts";
import { goneOr, rootFor, textsOf } from "../read/text.ts";
import type { ExtractOperations, TableCell, TableDescription, TableRow } from "./protocol.ts";

/** Of HTML, "the td element": larger values count as these. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 65_534;
/** Cells of one table that are read. */
const MAX_CELLS = 200_000;

/** The element itself, or the outermost tables in it. Only the first is described: the caller asks for one. */
export function tables(elements: Elements, params: Partial<ElementId>): ExtractOperations["tables"]["answer"] {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", tables: [], count: 0 });
  const reading = new Reading({ whole: true });
  const found = root instanceof HTMLTableElement ? [root] : outermostIn(root, reading);
  const [first] = found;
  return { state: "here", tables: first ? [describe(elements, first, reading)] : [], count: found.length };
}

function outermostIn(root: Element, reading: Reading): HTMLTableElement[] {
  const shown = queryAcross(root, "table").filter(
    (table): table is HTMLTableElement => table instanceof HTMLTableElement && reading.isShown(table),
  );
  return shown.filter((table) => !shown.some((other) => other !== table && includes(other, table)));
}

function describe(elements: Elements, table: HTMLTableElement, reading: Reading): TableDescription {
  const groups = new Map<Element, number>();
  const rows: { row: TableRow; cells: HTMLTableCellElement[] }[] = [];
  let count = 0;
  for (const row of table.rows) {
    const group = row.parentElement ?? table;
    if (!groups.has(group)) groups.set(group, groups.size);
    const isGone = !reading.isShown(row) && row.cells.length > 0;
    count += row.cells.length;
    if (isGone) continue;
    if (count > MAX_CELLS) break;
    const cells = [...row.cells].filter((cell) => reading.isShown(cell));
    rows.push({ row: { group: groups.get(group) ?? 0, isHead: tagOf(group) === "thead", cells: [] }, cells });
  }
  const { caption } = table;
  const { texts, ...found } = textsOf(elements, [...(caption ? [caption] : []), ...rows.flatMap(({ cells }) => cells)]);
  const captionText = caption ? (texts.shift() ?? "") : "";
  for (const { row, cells } of rows) row.cells = cells.map((cell) => cellOf(cell, texts.shift() ?? ""));
  return { caption: captionText, rows: rows.map(({ row }) => row), ...found };
}

function cellOf(cell: HTMLTableCellElement, text: string): TableCell {
  return {
    text,
    columns: Math.min(Math.max(1, numberIn(cell, "colspan", 1)), MAX_COLUMNS),
    rows: Math.min(numberIn(cell, "rowspan", 1), MAX_ROWS),
    isHeader: tagOf(cell) === "th" || elementMatches(cell, "[role=columnheader], [role=rowheader]"),
  };
}

function numberIn(cell: Element, attribute: string, otherwise: number): number {
  const digits = /^\s*\+?(\d+)/.exec(attributeOf(cell, attribute) ?? "")?.[1];
  return digits === undefined ? otherwise : Number(digits);
}
