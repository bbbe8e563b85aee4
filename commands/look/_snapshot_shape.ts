/** A snapshot on the wire. */
import * as v from "valibot";
import { ChangeSchema } from "../change_shape.ts";

const Tristate = v.union([v.boolean(), v.literal("mixed")]);

const StatesSchema = v.strictObject({
  checked: v.exactOptional(Tristate),
  pressed: v.exactOptional(Tristate),
  selected: v.exactOptional(v.boolean()),
  expanded: v.exactOptional(v.boolean()),
  disabled: v.exactOptional(v.boolean()),
  required: v.exactOptional(v.boolean()),
  readonly: v.exactOptional(v.boolean()),
  editable: v.exactOptional(v.pipe(v.boolean(), v.description("Can be typed into, which its role does not say"))),
  invalid: v.exactOptional(v.boolean()),
  active: v.exactOptional(v.pipe(v.boolean(), v.description("Has the keyboard focus"))),
  current: v.exactOptional(v.string()),
  level: v.exactOptional(v.number()),
});

const HIDDEN = [
  "display",
  "visibility",
  "opacity",
  "zero-size",
  "clipped",
  "off-screen",
  "mask",
  "filter",
  "same-color",
  "covered",
  "aria-hidden",
  "label-mismatch",
] as const;

const NodeSchema = v.strictObject({
  depth: v.pipe(v.number(), v.description("0 at the top")),
  ref: v.exactOptional(v.pipe(v.string(), v.description("Absent for text"))),
  role: v.pipe(v.string(), v.description("text for text, whose words are in name")),
  name: v.string(),
  quiet: v.exactOptional(v.pipe(v.literal(true), v.description("The name only repeats what the children say"))),
  text: v.exactOptional(v.pipe(v.string(), v.description("All that it contains, when its name does not say that"))),
  type: v.exactOptional(v.pipe(v.string(), v.description("Kind of input field, where the role does not tell"))),
  value: v.exactOptional(v.pipe(v.string(), v.description("Live value; masked for secrets"))),
  url: v.exactOptional(v.string()),
  placeholder: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  markup: v.exactOptional(
    v.pipe(v.string(), v.description("Its id, or its first classes, as CSS, where nothing else says what it is")),
  ),
  within: v.exactOptional(
    v.pipe(v.string(), v.description("Text of the row or card it is in, where others have the same role and name")),
  ),
  states: v.exactOptional(StatesSchema),
  hidden: v.exactOptional(v.pipe(v.picklist(HIDDEN), v.description("Why a person could not see it"))),
  interactive: v.exactOptional(v.literal(true)),
  clickable: v.exactOptional(v.pipe(v.string(), v.description("Found by the clickable scan: how"))),
  unreachable: v.exactOptional(v.pipe(v.string(), v.description("Why this frame could not be read"))),
  failed: v.exactOptional(
    v.pipe(
      v.string(),
      v.description("Why this frame's document could not be loaded, or the status that it was answered with"),
    ),
  ),
});

const ComparisonSchema = v.strictObject({
  outcome: v.pipe(
    v.picklist(["first", "elsewhere", "unchanged", "changed"]),
    v.description(
      "first: no earlier snapshot with these flags or of the whole page; elsewhere: it was of another page",
    ),
  ),
  from: v.exactOptional(
    v.pipe(v.string(), v.description("Address of the earlier snapshot's page, when it is another")),
  ),
  flags: v.pipe(v.string(), v.description("As they are typed: what they do not show is not compared")),
  changes: v.array(ChangeSchema),
});

const AnnotatedSchema = v.strictObject({
  path: v.string(),
  width: v.number(),
  height: v.number(),
  bytes: v.number(),
  drawn: v.pipe(v.array(v.string()), v.description("Refs with a box on the image")),
  unmeasured: v.pipe(v.array(v.string()), v.description("Refs without a box, or outside the image")),
});

export const SnapshotSchema = v.strictObject({
  title: v.string(),
  url: v.string(),
  tab: v.string(),
  frame: v.exactOptional(v.pipe(v.string(), v.description("Address of the frame, when it is of one frame"))),
  scope: v.exactOptional(v.pipe(v.string(), v.description("Ref of the element it is scoped to"))),
  modal: v.exactOptional(v.pipe(v.boolean(), v.description("With --modal: whether a dialog is open"))),
  pdf: v.exactOptional(
    v.pipe(v.literal(true), v.description("The tab shows a PDF, which has no elements: `text` reads it")),
  ),
  shown: v.number(),
  total: v.pipe(v.number(), v.description("What it would show without a limit")),
  nodes: v.pipe(v.array(NodeSchema), v.description("Empty in a comparison with a snapshot of the same page")),
  comparison: v.exactOptional(ComparisonSchema),
  annotated: v.exactOptional(AnnotatedSchema),
});

export type AnnotatedShape = v.InferOutput<typeof AnnotatedSchema>;
