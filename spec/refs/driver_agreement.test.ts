/** The driver's own accessibility tree as the judge of ours, over every page in `spec/fixtures`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureUrls } from "../refs_diff/pages.ts";
import { type CompareSession, openCompareSession } from "../refs_diff/session.ts";
import { differenceText, judge, sum, type Verdict } from "../refs_diff/verdict.ts";

/** Of the nodes that both list. */
const MIN_SHARE = 0.995;

let session: CompareSession;
beforeAll(async () => {
  session = await openCompareSession();
});
afterAll(() => session[Symbol.asyncDispose]());

test("roles, names, states and text are the driver's, but for what has a reason", async () => {
  const verdicts: Verdict[] = [];
  for (const url of fixtureUrls()) verdicts.push(judge(await session.compare(url)));
  const { both, agreeing, unexplained } = sum(verdicts);
  expect(unexplained.map(differenceText)).toEqual([]);
  expect(both).toBeGreaterThan(900);
  expect(agreeing / both).toBeGreaterThanOrEqual(MIN_SHARE);
}, 90_000);
