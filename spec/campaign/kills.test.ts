import { expect, it } from "vitest";
import { kills } from "../../campaign/kills/kills.ts";
import { brokenIn } from "./slice.ts";

it("what is answered stays true when processes die or stop meanwhile", { timeout: 120_000, retry: 0 }, async () => {
  expect(await brokenIn(kills, 2)).toEqual([]);
});
