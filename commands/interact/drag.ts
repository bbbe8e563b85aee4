import * as v from "valibot";
import type { Tab } from "../../browser/tabs/tab.ts";
import { drag, isSamePlace, type Moved } from "../../refs/act/drag.ts";
import { resolve } from "../../refs/find/target.ts";
import { type Ref, refsOf } from "../../refs/ref_table.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";

const PlaceSchema = v.pipe(
  v.strictObject({
    moved: v.pipe(v.boolean(), v.description("It is elsewhere than before")),
    position: v.pipe(v.number(), v.description("Among elements of its kind beside it, from 1")),
    of: v.number(),
    holder: v.exactOptional(v.pipe(ElementSchema, v.description("The list, group or region around them"))),
  }),
  v.description("Where the dragged element is now; absent when it cannot be told"),
);

export default defineCommand({
  name: "drag",
  category: "interact",
  summary: "Drag one element onto another",
  description:
    "With the mouse, and with the browser's own drag and drop where the page uses it. The answer says where the element is afterwards.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target, onto: Target }),
  cli: { positional: ["target", "onto"] },
  result: v.strictObject({ element: ElementSchema, onto: ElementSchema, place: v.exactOptional(PlaceSchema) }),
  examples: ["browse drag 'text=/Lamp/' '#cart'"],
  async run({ tab, signal }, { target, onto }) {
    const from = await resolve(tab, target, { signal });
    const to = await resolve(tab, onto, { signal });
    const moved = await drag(tab, from, to, { signal });
    const place = moved && placeFrom(tab, from, moved);
    return { element: elementOf(from), onto: elementOf(to), ...(place && { place }) };
  },
  render({ element, onto, place }) {
    const dragged = `Dragged ${elementText(element)} onto ${elementText(onto)}`;
    if (!place) return dragged;
    const { moved, position, of, holder } = place;
    return `${dragged}: ${moved ? "now" : "still"} ${position} of ${of}${holder ? ` in ${elementText(holder)}` : ""}`;
  },
});

function placeFrom(tab: Tab, from: Ref, { before, after }: Moved): v.InferOutput<typeof PlaceSchema> {
  const { position, of, holder } = after;
  const ref = holder && refsOf(tab).giveDescribed(from.frame, from.doc, holder, "holder");
  return { moved: !isSamePlace(before, after), position, of, ...(ref && { holder: elementOf(ref) }) };
}
