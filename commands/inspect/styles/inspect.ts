import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { withDebugNode } from "../../../refs/find/debug_node.ts";
import { resolve } from "../../../refs/find/target.ts";
import { boxesOf } from "../../../refs/read/boxes.ts";
import { redactValue } from "../../../security/secrets/redact.ts";
import { defineCommand } from "../../command.ts";
import type { TabContext } from "../../context.ts";
import { elementOf } from "../../element.ts";
import { Target } from "../../params.ts";
import { readStyles } from "./_cascade/read.ts";
import { reportStyles } from "./_cascade/report.ts";
import { lastInspected, noteInspected } from "./_inspected.ts";
import { styleChanges } from "./_style_change.ts";
import { type Inspection, InspectionSchema, inspectionText } from "./_styles_shape.ts";

export default defineCommand({
  name: "inspect",
  category: "inspect",
  summary: "Show which CSS rules style an element, and which of them win",
  description:
    "Rules come strongest first, with specificity and file:line; what is overridden is marked. Without an element it is the one inspected last.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    target: v.exactOptional(Target),
    all: v.exactOptional(
      v.pipe(v.boolean(), v.description("Include the browser's own rules and every computed value")),
    ),
    history: v.exactOptional(v.pipe(v.boolean(), v.description("List the changes that `style` has made, instead"))),
  }),
  cli: { positional: ["target"] },
  result: InspectionSchema,
  examples: ["browse inspect @e3", "browse inspect main --all", "browse inspect --history"],
  async run(context, { target, all = false, history }) {
    if (!history) return await inspect(context, target, all);
    if (target !== undefined || all) {
      throw new BrowseError("invalid_params", "`inspect --history` takes no element and no --all", {
        hint: "browse inspect --history",
      });
    }
    return { history: styleChanges(context.tab) };
  },
  render: inspectionText,
});

async function inspect({ tab, signal }: TabContext, target: string | undefined, all: boolean): Promise<Inspection> {
  const ref = await resolve(tab, target ?? lastInspected(tab), { signal });
  const [styles, boxes] = await Promise.all([withDebugNode(tab, ref, readStyles), boxesOf([ref], signal)]);
  noteInspected(tab, ref);
  tab.report("inspect", { event: "inspected", element: redactValue("element", elementOf(ref)) });
  const box = boxes.get(ref.id);
  return {
    element: elementOf(ref),
    ...(box && { box: boxModel(box, styles.computed) }),
    ...reportStyles(styles, { all }),
  };
}

type Placed = Pick<NonNullable<Inspection["box"]>, "x" | "y" | "width" | "height">;

function boxModel(placed: Placed, computed: ReadonlyMap<string, string>): NonNullable<Inspection["box"]> {
  const edges = (before: string, after = "") => {
    const side = (name: string) => Number.parseFloat(computed.get(`${before}-${name}${after}`) ?? "") || 0;
    return { top: side("top"), right: side("right"), bottom: side("bottom"), left: side("left") };
  };
  return { ...placed, margin: edges("margin"), border: edges("border", "-width"), padding: edges("padding") };
}
