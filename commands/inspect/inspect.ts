import * as v from "valibot";
import { readStyles } from "../../browser/cascade/read.ts";
import { reportStyles } from "../../browser/cascade/report.ts";
import { boxesOf } from "../../refs/boxes.ts";
import { withDebugNode } from "../../refs/debug_node.ts";
import { styleChanges } from "../../refs/style_change.ts";
import { resolve } from "../../refs/target.ts";
import { BrowseError } from "../../rpc/errors.ts";
import { redactValue } from "../../security/redact.ts";
import { defineCommand, type TabContext, Target } from "../command.ts";
import { elementOf } from "../element.ts";
import { lastInspected, noteInspected } from "./inspected.ts";
import { type Inspection, InspectionSchema, inspectionText } from "./styles_shape.ts";

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
