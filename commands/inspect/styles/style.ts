import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { resolve } from "../../../refs/find/target.ts";
import { defineCommand } from "../../command.ts";
import type { TabContext } from "../../context.ts";
import { Target } from "../../params.ts";
import { changeStyle, undoStyles } from "./_style_change.ts";
import { loadsSomething } from "./_style_value.ts";
import { type Change, ChangeSchema, changeText } from "./_styles_shape.ts";

const MAX_STEPS = 200;

const ParamsSchema = v.strictObject({
  target: v.exactOptional(Target),
  property: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^-{0,2}[a-z_][\w-]*$/i, "is not a CSS property name"),
      v.description("The property to set"),
    ),
  ),
  value: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(10_000),
      v.check(
        (value) => !loadsSomething(value),
        "must not load anything: url(), image-set(), expression() and @import",
      ),
      v.description("May end in !important; empty removes the property"),
    ),
  ),
  undo: v.exactOptional(v.pipe(v.boolean(), v.description("Undo the last change, or this many"))),
  steps: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(MAX_STEPS),
      v.description("How many changes to undo (default 1)"),
    ),
  ),
});

export default defineCommand({
  name: "style",
  category: "inspect",
  summary: "Set a property in an element's style attribute, or undo such changes",
  description:
    "Each tab remembers its last 200 changes; `browse inspect --history` lists them. Taken back, an element's style attribute is as it was: absent, if there was none. Custom properties follow `--`: browse style main -- --accent red.",
  scope: "admin",
  effect: "page",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  params: ParamsSchema,
  cli: { positional: ["target", "property", "value", "steps"], place: placeWords },
  result: v.strictObject({
    changed: v.exactOptional(ChangeSchema),
    undone: v.exactOptional(v.array(ChangeSchema)),
    gone: v.exactOptional(v.pipe(v.array(ChangeSchema), v.description("Their elements have left the page"))),
  }),
  examples: ["browse style @e3 color green", "browse style main 'border-top' '2px solid red !important'"],
  async run(context, params) {
    return params.undo ? await undo(context, params) : { changed: await change(context, params) };
  },
  render({ changed, undone = [], gone = [] }) {
    if (changed) return changeText(changed);
    const left = gone.length === 0 ? [] : [`${gone.length} more are gone with their elements`];
    return [...undone.map(undoneText), ...left].join("\n");
  },
});

/** `style --undo 2`: a number alone says how many. */
function placeWords(words: readonly string[]): Record<string, string> {
  const [first, property, ...value] = words;
  if (first === undefined) return {};
  if (words.length === 1 && /^\d+$/.test(first)) return { steps: first };
  return {
    target: first,
    ...(property !== undefined && { property }),
    ...(value.length > 0 && { value: value.join(" ") }),
  };
}

type Params = v.InferOutput<typeof ParamsSchema>;

async function change({ tab, signal }: TabContext, params: Params): Promise<Change> {
  const { target, property, value, steps } = params;
  if (target === undefined || property === undefined || value === undefined || steps !== undefined) {
    throw new BrowseError("invalid_params", "`style` takes an element, a property and a value, or --undo", {
      hint: "browse style <sel> <property> <value>, or browse style --undo [n]",
    });
  }
  const plain = value.replace(/\s*!\s*important\s*$/i, "");
  const ref = await resolve(tab, target, { signal });
  return await changeStyle(tab, ref, { property, value: plain, important: plain !== value });
}

async function undo({ tab, signal }: TabContext, { target, steps = 1 }: Params) {
  if (target !== undefined) {
    throw new BrowseError(
      "invalid_params",
      "`style --undo` undoes the tab's last changes, whatever element they are on",
      {
        hint: "browse style --undo [n]",
      },
    );
  }
  const { undone, gone } = await undoStyles(tab, steps, signal);
  if (undone.length + gone.length === 0) {
    throw new BrowseError("not_found", "This tab has no style change left to undo", {
      hint: "`browse inspect --history` lists them",
    });
  }
  return { undone, ...(gone.length > 0 && { gone }) };
}

function undoneText({ id, element, property, before }: Change): string {
  return `Undid ${id}: ${element} ${property}: ${before || "(none)"}`;
}
