import { expect, it } from "vitest";
import { storms } from "../../campaign/storms/storms.ts";
import { brokenIn } from "./slice.ts";

it("a page in a storm harms no other", { timeout: 120_000, retry: 0 }, async () => {
  expect(await brokenIn(storms, 1)).toEqual([]);
});
