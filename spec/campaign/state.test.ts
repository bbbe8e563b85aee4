import { expect, it } from "vitest";
import { state } from "../../campaign/state/state.ts";
import { brokenIn } from "./slice.ts";

it("damaged state is used or explained, and nothing outside is touched", { timeout: 120_000, retry: 0 }, async () => {
  expect(await brokenIn(state, 3)).toEqual([]);
});
