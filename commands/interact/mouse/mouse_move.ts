import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { KEEPS, PointerSchema, pixels } from "./_mouse_params.ts";
import { movePointer } from "./_pointer.ts";

export default defineCommand({
  name: "mouse.move",
  category: "interact",
  summary: "Move the mouse to a point of the viewport",
  description: `${KEEPS} To press an element, use \`click\`.`,
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({ x: pixels("From the viewport's left edge"), y: pixels("From its top") }),
  cli: { positional: ["x", "y"] },
  result: PointerSchema,
  examples: ["browse mouse move 100 200"],
  run: async ({ tab, signal }, { x, y }) => await movePointer(tab, { action: "move", x, y }, { signal }),
  render: ({ x, y }) => `Mouse move at ${x},${y}`,
});
