import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedLines } from "../../../security/files/bounded_lines.ts";

async function linesOf(parts: string[], maxLength: number): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const line of boundedLines(parts, maxLength)) lines.push(line);
  return lines;
}

test("Lines are the same however they come in, and those that are too long are told", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n"), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(60)), async (whole, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const parts = at.slice(1).map((end, index) => whole.slice(at[index], end));
      const expected = whole.split("\n");
      if (expected.at(-1) === "") expected.pop();
      const shown = expected.map((line) => (line.length > 5 ? undefined : line.replace(/\r$/, "")));
      expect(await linesOf(parts, 5)).toEqual(shown);
    }),
  );
});

test("A line that never ends is told once", async () => {
  expect(await linesOf(Array(1_000).fill("x".repeat(1_000)), 10_000)).toEqual([undefined]);
});
