/** What a comparison of two snapshots owes its reader, whatever the pages were. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../browser/effect_report.ts";
import { changesBetween } from "../../../refs/snapshot/diff.ts";
import { lineOf } from "../../../refs/snapshot/render.ts";
import type { IdentifiedSnapshot, SnapshotNode } from "../../../refs/snapshot/snapshot.ts";

interface Element {
  n: number;
  name: string;
  depth: number;
}

/** A page whose elements are told apart by number, in any order and nesting. */
const page = fc
  .uniqueArray(fc.record({ n: fc.nat(30), name: fc.constantFrom("a", "b", "c"), depth: fc.nat(3) }), {
    selector: ({ n }) => n,
    maxLength: 20,
  })
  .map(nested);

/** No line is more than one level below the one before it. */
function nested(elements: Element[]): Element[] {
  let level = -1;
  return elements.map((element) => {
    level = Math.min(element.depth, level + 1);
    return { ...element, depth: level };
  });
}

function snapshotOf(elements: Element[], total = elements.length): IdentifiedSnapshot {
  const nodes = elements.map(
    ({ n, name, depth }): SnapshotNode => ({ depth, ref: `@e${n}`, role: "button", name, interactive: true }),
  );
  const snapshot = { title: "", url: "http://shop.example/", tab: "t1", shown: nodes.length, total, nodes };
  return { snapshot, doc: "doc", identities: elements.map(({ n }) => `doc/${n}`) };
}

function diff(before: Element[], after: Element[]): Change[] {
  return changesBetween(snapshotOf(before), snapshotOf(after));
}

const refsOf = (changes: Change[], kind: Change["kind"]) =>
  changes.filter((change) => change.kind === kind).map(({ ref }) => ref);

describe("the changes between two snapshots", () => {
  test("are none when nothing changed", () => {
    fc.assert(
      fc.property(page, (elements) => {
        expect(diff(elements, elements)).toEqual([]);
      }),
    );
  });

  test("name every element that came, once, and no other", () => {
    fc.assert(
      fc.property(page, page, (before, after) => {
        const known = new Set(before.map(({ n }) => n));
        const came = after.filter(({ n }) => !known.has(n)).map(({ n }) => `@e${n}`);
        expect(refsOf(diff(before, after), "added")).toEqual(came);
      }),
    );
  });

  test("count every element that went", () => {
    fc.assert(
      fc.property(page, page, (before, after) => {
        const present = new Set(after.map(({ n }) => n));
        const went = before.filter(({ n }) => !present.has(n)).length;
        const told = diff(before, after).filter(({ kind }) => kind === "removed");
        expect(told.reduce((sum, { inside = 0 }) => sum + 1 + inside, 0)).toBe(went);
      }),
    );
  });

  test("tell each line that is another, with what it was", () => {
    fc.assert(
      fc.property(page, page, (before, after) => {
        const was = new Map(snapshotOf(before).snapshot.nodes.map((node) => [node.ref, lineOf(node, "")]));
        const differing = snapshotOf(after).snapshot.nodes.filter(
          (node) => was.has(node.ref) && was.get(node.ref) !== lineOf(node, ""),
        );
        const told = diff(before, after).filter(({ kind }) => kind === "changed");
        expect(told.map(({ ref, was: old }) => [ref, old])).toEqual(differing.map(({ ref }) => [ref, was.get(ref)]));
      }),
    );
  });

  test("say what moved: the rest has kept its order", () => {
    fc.assert(
      fc.property(page, fc.nat(), (before, seed) => {
        const flat = before.map((element) => ({ ...element, depth: 0 }));
        const after = flat.toSorted((a, b) => ((a.n * 7919 + seed) % 31) - ((b.n * 7919 + seed) % 31));
        const moved = new Set(refsOf(diff(flat, after), "moved"));
        const rest = (elements: Element[]) => elements.map(({ n }) => `@e${n}`).filter((ref) => !moved.has(ref));
        expect(rest(after)).toEqual(rest(flat));
      }),
    );
  });

  test("claim nothing about what a snapshot that was cut does not reach", () => {
    const all = [1, 2, 3, 4].map((n) => ({ n, name: "a", depth: 0 }));
    const [one, two, three] = all as [Element, Element, Element];
    const fresh = { n: 9, name: "new", depth: 0 };
    const cut = snapshotOf([one, two, three], 4);
    const shifted = snapshotOf([fresh, one, two], 5);
    expect(changesBetween(cut, shifted)).toEqual([expect.objectContaining({ kind: "added", ref: "@e9" })]);
    expect(changesBetween(cut, snapshotOf(all))).toEqual([]);
  });
});
