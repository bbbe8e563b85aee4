/** HTML's table model: where cells that span others come to stand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gridOf, tableOf } from "../../commands/extract/_html_table.ts";
import type { TableCell, TableRow } from "../../refs/page/extract/protocol.ts";

const cell = (text: string, { columns = 1, rows = 1, isHeader = false }: Partial<TableCell> = {}): TableCell => ({
  text,
  columns,
  rows,
  isHeader,
});
const row = (cells: TableCell[], group = 0, isHead = false): TableRow => ({ group, isHead, cells });

describe("a grid", () => {
  it("repeats a cell in each column and row that it spans", () => {
    const rows = [
      row([cell("a", { columns: 2 }), cell("b")]),
      row([cell("c", { rows: 2 }), cell("d"), cell("e")]),
      row([cell("f"), cell("g")]),
    ];
    expect(gridOf(rows)).toEqual([
      ["a", "a", "b"],
      ["c", "d", "e"],
      ["c", "f", "g"],
    ]);
  });

  it("lets rowspan=0 go to the end of its group, and no span beyond it", () => {
    const rows = [
      row([cell("a", { rows: 0 }), cell("b", { rows: 9 })], 0),
      row([cell("c")], 0),
      row([cell("d"), cell("e"), cell("f")], 1),
    ];
    expect(gridOf(rows)).toEqual([
      ["a", "b"],
      ["a", "b", "c"],
      ["d", "e", "f"],
    ]);
  });

  it("is refused when its spans are out of all proportion", () => {
    const rows = Array.from({ length: 1_000 }, () => row([cell("x", { columns: 1_000 })]));
    expect(() => gridOf(rows)).toThrow(/spans more than/);
  });

  it("has every cell somewhere, whatever the spans", () => {
    const cells = fc.array(
      fc.record({ columns: fc.integer({ min: 1, max: 4 }), rows: fc.integer({ min: 0, max: 4 }) }),
      {
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 6 }), (spans) => {
        let count = 0;
        const rows = spans.map((list) => row(list.map((span) => cell(`cell ${count++}`, span))));
        const grid = gridOf(rows);
        const seen = new Set(grid.flat());
        for (let n = 0; n < count; n++) expect(seen).toContain(`cell ${n}`);
        for (const line of grid) expect(line.every((text) => text === undefined || text.startsWith("cell"))).toBe(true);
      }),
    );
  });
});

describe("headings", () => {
  it("are those of the head, joined when there are several rows", () => {
    const rows = [
      row([cell("Year", { rows: 2, isHeader: true }), cell("Sales", { columns: 2, isHeader: true })], 0, true),
      row([cell("home", { isHeader: true }), cell("abroad", { isHeader: true })], 0, true),
      row([cell("2024"), cell("1"), cell("2")], 1),
    ];
    expect(tableOf({ caption: "", rows })).toEqual({
      caption: "",
      columns: ["Year", "Sales / home", "Sales / abroad"],
      rows: [["2024", "1", "2"]],
    });
  });

  it("are first rows of header cells where there is no head, and none where all cells are headers", () => {
    const head = row([cell("a", { isHeader: true }), cell("b", { isHeader: true })]);
    expect(tableOf({ caption: "", rows: [head, row([cell("1", { isHeader: true }), cell("2")])] }).columns).toEqual([
      "a",
      "b",
    ]);
    expect(tableOf({ caption: "", rows: [head] })).toMatchObject({ columns: [], rows: [["a", "b"]] });
    expect(tableOf({ caption: "", rows: [row([cell("1"), cell("2")])] }).columns).toEqual([]);
  });
});
