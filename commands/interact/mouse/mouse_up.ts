import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { Button, KEEPS, PointerSchema } from "./_mouse_params.ts";
import { movePointer } from "./_pointer.ts";

export default defineCommand({
  name: "mouse.up",
  category: "interact",
  summary: "Release a mouse button where the mouse is",
  description: KEEPS,
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({ button: Button }),
  result: PointerSchema,
  examples: ["browse mouse up --button right"],
  run: async ({ tab, signal }, { button = "left" }) => await movePointer(tab, { action: "up", button }, { signal }),
  render: ({ x, y }) => `Mouse up at ${x},${y}`,
});
