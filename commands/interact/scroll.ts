import * as v from "valibot";
import { scroll } from "../../refs/act/scroll.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "scroll",
  category: "interact",
  summary: "Scroll the page, or an element into view or within itself",
  description:
    "An element alone is scrolled into view; with --by or --to, its own content is scrolled. Without any of these the page moves by most of a screen.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({
    target: v.exactOptional(Target),
    by: v.exactOptional(v.pipe(v.number(), v.finite(), v.description("Pixels; negative is up"))),
    to: v.exactOptional(v.pipe(v.picklist(["top", "bottom"]), v.description("Go to the beginning or the end"))),
    times: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(100),
        v.description("Repeat this often, for lists that load more"),
      ),
    ),
  }),
  exclusive: [["by", "to"]],
  cli: { positional: ["target"] },
  result: v.strictObject({
    movedBy: v.pipe(v.number(), v.description("CSS pixels; negative is up")),
    top: v.pipe(v.number(), v.description("Where it stands now: CSS pixels above what is in view")),
    atEnd: v.pipe(v.boolean(), v.description("Nothing more that way, with what the page had loaded by then")),
  }),
  examples: ["browse scroll", "browse scroll --to bottom", "browse scroll @e3"],
  async run({ tab, signal, atRest }, { target, by, to, times = 1 }) {
    const ref = target === undefined ? undefined : await resolve(tab, target, { signal });
    const {
      by: movedBy,
      top,
      atEnd,
    } = await scroll(tab, ref, {
      signal,
      atRest,
      times,
      ...(by === undefined ? {} : { by }),
      ...(to === undefined ? {} : { to }),
    });
    return { movedBy, top, atEnd };
  },
  render: ({ movedBy, top, atEnd }) => `Scrolled ${movedBy} px, ${placeText(top, atEnd)}`,
});

function placeText(top: number, atEnd: boolean): string {
  if (!atEnd) return `now ${top} px from the top`;
  return top === 0 ? "at the top" : "at the end";
}
