import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { resolve } from "../../refs/find/target.ts";
import { boxesOf } from "../../refs/read/boxes.ts";
import { labelOf } from "../../refs/ref_table.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "box",
  category: "inspect",
  summary: "Show an element's position and size",
  description: "In CSS pixels from the top left corner of the page's viewport, for elements in frames too.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: v.strictObject({ x: v.number(), y: v.number(), width: v.number(), height: v.number() }),
  examples: ["browse box @e3", "browse box 'input[type=search]'"],
  async run({ tab, signal }, { target }) {
    const ref = await resolve(tab, target, { signal });
    const box = (await boxesOf([ref], signal)).get(ref.id);
    if (box) return box;
    throw new BrowseError("not_visible", `${labelOf(ref)} takes up no space on the page`);
  },
  render: ({ x, y, width, height }) => `${x},${y} ${width}x${height}`,
});
