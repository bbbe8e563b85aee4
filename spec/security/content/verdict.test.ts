import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finding, Layer } from "../../../security/content/finding.ts";
import { THRESHOLDS, type Verdict, verdictOf } from "../../../security/content/verdict.ts";

const LAYERS: Layer[] = ["hidden", "structure", "marker", "canary", "classifier", "transcript"];
const GRAVITY: Verdict[] = ["allow", "log", "warn", "block"];

function findings(...scores: [Layer, number][]): Finding[] {
  return scores.map(([layer, score]) => ({ layer, score, says: "it" }));
}

describe("The verdict on", () => {
  test.each<[string, [Layer, number][], Verdict]>([
    ["nothing", [], "allow"],
    ["little", [["classifier", 0.39]], "allow"],
    ["something", [["classifier", 0.4]], "log"],
    ["more", [["classifier", 0.749]], "log"],
    ["what the classifier takes for an attack", [["classifier", 0.75]], "warn"],
    ["what it is nearly sure of", [["classifier", 0.919]], "warn"],
    ["what it alone is sure of", [["classifier", 1]], "warn"],
    [
      "what it is sure of, and another layer has seen something in",
      [
        ["classifier", 0.92],
        ["structure", 0.45],
      ],
      "block",
    ],
    [
      "what it is nearly sure of, and another layer has seen something in",
      [
        ["classifier", 0.919],
        ["structure", 0.45],
      ],
      "warn",
    ],
    [
      "what it is sure of, and another layer has seen next to nothing in",
      [
        ["classifier", 1],
        ["structure", 0.44],
      ],
      "warn",
    ],
    ["structure alone", [["structure", 1]], "warn"],
    ["hidden text alone", [["hidden", 1]], "warn"],
    ["a marker that came back", [["marker", 1]], "warn"],
    ["a check of the transcript alone", [["transcript", 1]], "warn"],
    [
      "two findings of one layer",
      [
        ["structure", 0.9],
        ["structure", 0.95],
      ],
      "warn",
    ],
    [
      "two layers that agree",
      [
        ["structure", 0.75],
        ["classifier", 0.75],
      ],
      "block",
    ],
    [
      "two layers without the classifier",
      [
        ["hidden", 0.8],
        ["transcript", 0.8],
      ],
      "block",
    ],
    [
      "two layers of which one is unsure",
      [
        ["hidden", 0.9],
        ["classifier", 0.74],
      ],
      "warn",
    ],
    [
      "three layers that are unsure",
      [
        ["hidden", 0.5],
        ["structure", 0.5],
        ["classifier", 0.5],
      ],
      "log",
    ],
    ["a canary that leaked", [["canary", 1]], "block"],
    ["a canary that may have leaked", [["canary", 0.1]], "block"],
    ["a canary that did not", [["canary", 0]], "allow"],
  ])("%s", (_what, scores, verdict) => {
    expect(verdictOf(findings(...scores))).toBe(verdict);
  });

  test("any findings is the same in any order, and none makes it milder", () => {
    const finding = fc.record({
      layer: fc.constantFrom(...LAYERS),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      says: fc.constant("it"),
    });
    fc.assert(
      fc.property(fc.array(finding), finding, (some, another) => {
        const before = verdictOf(some);
        expect(verdictOf(some.toReversed())).toBe(before);
        expect(GRAVITY.indexOf(verdictOf([...some, another]))).toBeGreaterThanOrEqual(GRAVITY.indexOf(before));
      }),
    );
  });

  test("what is given other thresholds, is by those", () => {
    const lenient = { ...THRESHOLDS, block: 1.1, warn: 0.95 };
    expect(verdictOf(findings(["classifier", 0.94]), lenient)).toBe("log");
  });
});
