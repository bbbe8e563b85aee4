import * as v from "valibot";
import { completionsOf } from "../line/completion.ts";
import type { CompleteParams, CompleteResult } from "../protocol.ts";
import { defineMethod, type Gives } from "./method.ts";

defineMethod({
  name: "cli.complete",
  summary: "Complete the last word of a command line",
  local: "read",
  params: v.strictObject({
    line: v.pipe(v.string(), v.maxLength(10_000, "is too long")),
  }) satisfies Gives<CompleteParams>,
  run: ({ line }): CompleteResult => ({ words: completionsOf(line) }),
});
