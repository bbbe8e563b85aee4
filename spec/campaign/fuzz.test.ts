import { expect, it } from "vitest";
import { fuzz } from "../../campaign/fuzz/fuzz.ts";
import { brokenIn } from "./slice.ts";

it("every command that reads keeps its promises on pages that turn against it", {
  timeout: 120_000,
  retry: 0,
}, async () => {
  expect(await brokenIn(fuzz, 5)).toEqual([]);
});
