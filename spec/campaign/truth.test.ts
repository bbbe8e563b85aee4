import { describe, expect, it } from "vitest";
import { judge, type Played } from "../../campaign/truth/checks.ts";
import { truth } from "../../campaign/truth/truth.ts";
import { brokenIn } from "./slice.ts";

it("answers tell what actions did, and the next ones what came later", { timeout: 60_000, retry: 0 }, async () => {
  expect(await brokenIn(truth, 2)).toEqual([]);
});

describe("An answer", () => {
  const changed = { deed: "mutated", at: 1_100 } as const;
  const played: Played = {
    control: { name: "text", script: "", deed: "mutated" },
    changesItself: false,
    effect: { changed: 1 },
    next: { nothing: true },
    answeredAt: 2_000,
    unanswered: 0,
    witnessed: [{ deed: "acted", at: 1_000 }, changed],
  };
  const brokenBy = (given: Partial<Played>) => judge({ ...played, ...given }).broken.map(({ promise }) => promise);

  it("that tells what happened is left in peace", () => {
    expect(judge(played)).toEqual({ broken: [], tally: { due: 1, told: 1 } });
  });

  it.each([
    ["nothing is said only of what did nothing yet", { effect: { nothing: true }, next: { before: { changed: 1 } } }],
    ["a change is told that was there", { witnessed: [] }],
    ["a navigation is told that was there", { effect: { navigated: "/x", changed: 1 } }],
    ["an error is told that was there", { effect: { errors: [{ text: "Broken" }], changed: 1 } }],
    ["what is said to wait is not answered", { effect: { waiting: [{ method: "GET", url: "/x" }], changed: 1 } }],
    ["what an answer does not tell the next one does", { effect: { nothing: true }, answeredAt: 1_050 }],
  ])("is caught when not: %s", (promise, given) => {
    expect(brokenBy(given)).toEqual([promise]);
  });

  it("that is late with what came within a second is counted", () => {
    const { tally } = judge({
      ...played,
      effect: { nothing: true },
      answeredAt: 1_050,
      next: { before: { changed: 1 } },
    });
    expect(tally).toEqual({ due: 1, told: 0 });
  });
});
