import * as v from "valibot";
import { scroll } from "../../refs/scroll.ts";
import { resolve } from "../../refs/target.ts";
import { defineCommand, Target } from "../command.ts";

export default defineCommand({
  name: "scroll",
  category: "interact",
  summary: "Scroll the page, or an element into view or within itself",
  description:
    "An element alone is brought into view; with --by or --to it is scrolled itself. Without either the page moves by most of a screen.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "plain",
  params: v.strictObject({
    target: v.exactOptional(Target),
    by: v.exactOptional(v.pipe(v.number(), v.finite(), v.description("Pixels; negative is up"))),
    to: v.exactOptional(v.picklist(["top", "bottom"])),
    times: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(100),
        v.description("Repeat, for lists that load more"),
      ),
    ),
  }),
  exclusive: [["by", "to"]],
  cli: { positional: ["target"] },
  result: v.strictObject({
    movedBy: v.pipe(v.number(), v.description("CSS pixels; negative is up")),
    atEnd: v.pipe(v.boolean(), v.description("Nothing more that way")),
  }),
  examples: ["browse scroll", "browse scroll --to bottom", "browse scroll @e3"],
  async run({ tab, signal }, { target, by, to, times = 1 }) {
    const ref = target === undefined ? undefined : await resolve(tab, target, { signal });
    const { by: movedBy, atEnd } = await scroll(tab, ref, {
      signal,
      times,
      ...(by === undefined ? {} : { by }),
      ...(to === undefined ? {} : { to }),
    });
    return { movedBy, atEnd };
  },
  render: ({ movedBy, atEnd }) => `Scrolled ${movedBy} px${atEnd ? ", at the end" : ""}`,
});
