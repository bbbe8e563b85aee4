import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { MOUSE_BUTTONS } from "../../refs/act/mouse.ts";
import { defineCommand } from "../command.ts";
import { movePointer, type PointerMove } from "./_pointer.ts";

const Params = v.strictObject({
  action: v.picklist(["move", "down", "up", "wheel"]),
  by: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.number(), v.minValue(-100_000), v.maxValue(100_000))),
      v.maxLength(2, "takes two numbers at most"),
      v.description("move: x and y in the viewport; wheel: pixels down, or right and down"),
    ),
  ),
  button: v.exactOptional(v.pipe(v.picklist(MOUSE_BUTTONS), v.description("For down and up: default left"))),
});

type MouseParams = v.InferOutput<typeof Params>;

export default defineCommand({
  name: "mouse",
  category: "interact",
  summary: "Move the mouse, press and release its buttons, turn its wheel",
  description:
    "The mouse keeps its position and pressed buttons from one command to the next. To press an element, use `click`.",
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  params: Params,
  cli: { positional: ["action"], rest: "by" },
  result: v.strictObject({ action: v.string(), x: v.number(), y: v.number() }),
  examples: [
    "browse mouse move 100 200",
    "browse mouse down",
    "browse mouse up --button right",
    "browse mouse wheel 300",
  ],
  async run({ tab, signal }, params) {
    return { action: params.action, ...(await movePointer(tab, moveOf(params), { signal })) };
  },
  render: ({ action, x, y }) => `Mouse ${action} at ${x},${y}`,
});

function moveOf({ action, by = [], button }: MouseParams): PointerMove {
  const [first, second] = by;
  if (button !== undefined && (action === "move" || action === "wheel")) {
    throw new BrowseError("invalid_params", `"mouse ${action}" takes no --button`, { details: { flag: "--button" } });
  }
  if (action === "move") {
    if (first === undefined || second === undefined) throw wrong('"mouse move" takes x and y');
    return { action, x: first, y: second };
  }
  if (action === "wheel") {
    if (first === undefined) throw wrong('"mouse wheel" takes pixels down, or right and down');
    return second === undefined ? { action, x: 0, y: first } : { action, x: first, y: second };
  }
  if (by.length > 0) throw wrong(`"mouse ${action}" takes no numbers: move the mouse first`);
  return { action, button: button ?? "left" };
}

function wrong(message: string): BrowseError {
  return new BrowseError("invalid_params", message, {
    hint: "For example `browse mouse move 100 200`, `browse mouse down`, `browse mouse wheel 300`",
  });
}
