import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { Button, KEEPS, PointerSchema } from "./_mouse_params.ts";
import { movePointer } from "./_pointer.ts";

export default defineCommand({
  name: "mouse.down",
  category: "interact",
  summary: "Press a mouse button where the mouse is",
  description: KEEPS,
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({ button: Button }),
  result: PointerSchema,
  examples: ["browse mouse down"],
  run: async ({ tab, signal }, { button = "left" }) => await movePointer(tab, { action: "down", button }, { signal }),
  render: ({ x, y }) => `Mouse down at ${x},${y}`,
});
