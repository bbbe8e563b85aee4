import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { PointerSchema, pixels } from "./_mouse_params.ts";
import { movePointer } from "./_pointer.ts";

export default defineCommand({
  name: "mouse.wheel",
  category: "interact",
  summary: "Turn the mouse wheel where the mouse is",
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({
    by: v.pipe(
      v.array(pixels("Pixels")),
      v.minLength(1, "takes pixels down, or right and down"),
      v.maxLength(2, "takes two numbers at most"),
      v.description("Pixels down, or right and down"),
    ),
  }),
  cli: { rest: "by" },
  result: PointerSchema,
  examples: ["browse mouse wheel 300", "browse mouse wheel 100 0"],
  async run({ tab, signal }, { by: [first = 0, second] }) {
    const move = second === undefined ? { x: 0, y: first } : { x: first, y: second };
    return await movePointer(tab, { action: "wheel", ...move }, { signal });
  },
  render: ({ x, y }) => `Mouse wheel at ${x},${y}`,
});
