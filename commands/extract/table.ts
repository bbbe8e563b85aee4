import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { jsonLines } from "../json_lines.ts";
import { Target } from "../params.ts";
import { tellHidden } from "../tell_hidden.ts";
import { readTable, type Table } from "./_html_table.ts";

export default defineCommand({
  name: "table",
  category: "extract",
  summary: "Read an HTML table as JSON or CSV",
  description:
    "A cell that spans several rows or columns stands in each of them. Several rows of headings are joined with a slash. " +
    "Hidden rows and cells are left out.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    target: v.pipe(Target, v.description("The table, or an element that contains just one")),
    csv: v.exactOptional(v.pipe(v.boolean(), v.description("Comma-separated values (RFC 4180), headings first"))),
  }),
  cli: { positional: ["target"] },
  result: v.strictObject({
    caption: v.string(),
    columns: v.pipe(v.array(v.string()), v.description("Headings; empty when the table has none")),
    rows: v.array(v.array(v.string())),
    csv: v.exactOptional(v.string()),
  }),
  examples: ["browse table table", "browse table main --csv"],
  async run(context, { target, csv }) {
    const { tab, signal } = context;
    const table = await tellHidden(context, (onHidden) => readTable(tab, target, { signal, onHidden }));
    return csv ? { ...table, csv: csvOf(table) } : table;
  },
  render: ({ csv, ...table }) => csv ?? jsonLines(table) ?? "",
});

function csvOf({ columns, rows }: Table): string {
  const lines = columns.length > 0 ? [columns, ...rows] : rows;
  return lines.map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** RFC 4180, 2: quoted when it holds what separates; quotes are doubled. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
