/** One table of a page as CSV. */
import type { Browse, Commands } from "./client.ts";

export interface TableCsv {
  url: string;
  caption: string;
  columns: string[];
  rows: number;
  csv: string;
}

/** A table as the page's snapshot shows it. */
export interface SeenTable {
  ref: string;
  /** Its caption or label. */
  name: string;
  /** The last heading before it. */
  heading: string;
}

interface Args {
  url: string;
  table?: string;
}

type Node = Pick<Commands["snapshot"]["result"]["nodes"][number], "depth" | "role" | "name" | "ref">;

/** Of the tables that an error lists. */
const LISTED = 20;
/** A snapshot's lines beyond this are cut. */
const MAX_NODES = 100_000;

export async function main(browse: Browse, { url, table }: Args): Promise<TableCsv> {
  const arrived = await browse.goto({ url });
  if (arrived.status !== undefined && arrived.status >= 400) {
    throw new Error(`${arrived.url} answered with status ${arrived.status}`);
  }
  const target = table?.startsWith("css=") ? table.slice("css=".length) : await targetOf(browse, table);
  const { caption, columns, rows } = await browse.table({ target });
  const lines = columns.length > 0 ? [columns, ...rows] : rows;
  return { url: arrived.url, caption, columns, rows: rows.length, csv: csvOf(lines) };
}

async function targetOf(browse: Browse, which: string | undefined): Promise<string> {
  const { nodes } = await browse.snapshot({ max: MAX_NODES });
  return pickTable(tablesIn(nodes), which).ref;
}

/** Those that data stands in, and no others in them. */
export function tablesIn(nodes: readonly Node[]): SeenTable[] {
  const tables: SeenTable[] = [];
  let heading = "";
  let inside = Number.POSITIVE_INFINITY;
  for (const { role, name, ref, depth } of nodes) {
    if (depth <= inside) inside = Number.POSITIVE_INFINITY;
    if (role === "heading" && inside === Number.POSITIVE_INFINITY) heading = name;
    if (!["table", "grid", "treegrid"].includes(role) || ref === undefined || depth > inside) continue;
    tables.push({ ref, name, heading });
    inside = depth;
  }
  return tables;
}

/** The one that is meant: by its number from 1, or by words of its name or heading. Throws unless that is just one. */
export function pickTable(tables: readonly SeenTable[], which: string | undefined): SeenTable {
  const fitting = which === undefined ? tables : fittingTables(tables, which);
  const [first] = fitting;
  if (first && fitting.length === 1) return first;
  const list = (first ? fitting : tables)
    .slice(0, LISTED)
    .map((table) => `${tables.indexOf(table) + 1}: ${titleOf(table)}`);
  if (tables.length === 0) throw new Error("No table was seen on the page");
  const told = which === undefined ? `${tables.length} tables were seen` : `${fitting.length} tables fit "${which}"`;
  throw new Error(`${told}; name one with the arg "table": ${list.join("; ")}`);
}

function fittingTables(tables: readonly SeenTable[], which: string): readonly SeenTable[] {
  if (/^\d{1,6}$/.test(which)) return tables.slice(Number(which) - 1, Number(which)).filter(() => which !== "0");
  const words = which.toLowerCase();
  const byName = tables.filter(({ name }) => name.toLowerCase().includes(words));
  return byName.length > 0 ? byName : tables.filter(({ heading }) => heading.toLowerCase().includes(words));
}

function titleOf({ name, heading }: SeenTable): string {
  if (name !== "") return name;
  return heading === "" ? "without a name" : `below "${heading}"`;
}

/** RFC 4180: CR LF ends each line, and what separates is in quotes. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => `${line.map((cell) => fieldOf(cell, line.length)).join(",")}\r\n`).join("");
}

/** A line of one empty field would read as an empty line, which many readers skip. */
function fieldOf(text: string, ofLine: number): string {
  const isQuoted = /[",\r\n]/.test(text) || (text === "" && ofLine === 1) || text !== text.trim();
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}
