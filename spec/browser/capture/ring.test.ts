import fc from "fast-check";
import { expect, test } from "vitest";
import { Ring } from "../../../browser/capture/ring.ts";

/** The same by the simplest means: keep everything. */
class Model {
  readonly all: number[] = [];
  cleared = 0;

  kept(capacity: number): { seq: number; value: number }[] {
    const first = Math.max(this.all.length - capacity, this.cleared);
    return this.all.slice(first).map((value, index) => ({ seq: first + index + 1, value }));
  }
}

test("A ring holds the newest values under numbers that never change", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("push" as const), value: fc.integer() }),
    fc.record({ do: fc.constant("clear" as const) }),
    fc.record({ do: fc.constant("look" as const), seq: fc.integer({ min: -3, max: 60 }), count: fc.nat(40) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 80 }), (capacity, steps) => {
      const ring = new Ring<number>(capacity);
      const model = new Model();
      for (const each of steps) {
        if (each.do === "push") expect(ring.push(each.value)).toBe(model.all.push(each.value));
        if (each.do === "clear") {
          ring.clear();
          model.cleared = model.all.length;
        }
        const kept = model.kept(capacity);
        expect([ring.total, ring.first]).toEqual([model.all.length, kept[0]?.seq ?? model.all.length + 1]);
        if (each.do !== "look") continue;
        expect(ring.since(each.seq)).toEqual(kept.filter(({ seq }) => seq > each.seq));
        expect(ring.last(each.count)).toEqual(each.count === 0 ? [] : kept.slice(-each.count));
        expect(ring.at(each.seq)).toBe(kept.find(({ seq }) => seq === each.seq)?.value);
      }
    }),
  );
});

test("A ring of no capacity is refused", () => {
  expect(() => new Ring(0)).toThrow(RangeError);
  expect(() => new Ring(1.5)).toThrow(RangeError);
});

test("A ring with a limit of size holds the newest values that fit into it, and the newest whatever its size", () => {
  const sizeOf = (value: number) => value;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 }), (values) => {
      const ring = new Ring<number>(10, { maxSize: 25, sizeOf });
      for (const value of values) ring.push(value);
      const kept = ring.since(0).map(({ value }) => value);
      const fitting = values.slice(-10);
      while (fitting.length > 1 && fitting.reduce((sum, value) => sum + value, 0) > 25) fitting.shift();
      expect(kept).toEqual(fitting);
      expect(ring.first).toBe(values.length - fitting.length + 1);
    }),
  );
});
