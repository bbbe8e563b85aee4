/** What `inspect` answers, for programs and for people. */
import * as v from "valibot";
import { ElementSchema, elementText } from "../../element.ts";

const DeclarationSchema = v.strictObject({
  name: v.string(),
  value: v.string(),
  important: v.exactOptional(v.literal(true)),
  state: v.pipe(
    v.picklist(["applies", "partly", "overridden", "reverts", "invalid"]),
    v.description(
      "`partly`: a shorthand of which some parts are overridden. `reverts`: hands over to what is below it",
    ),
  ),
});

const RuleSchema = v.strictObject({
  kind: v.picklist(["rule", "style-attribute", "attributes", "animation", "transition"]),
  origin: v.picklist(["user-agent", "user", "author"]),
  selector: v.pipe(v.string(), v.description("As written; the name of an animation")),
  specificity: v.exactOptional(
    v.pipe(
      v.tuple([v.number(), v.number(), v.number()]),
      v.description("Ids, classes and types of the most specific selector that matches"),
    ),
  ),
  source: v.exactOptional(v.pipe(v.string(), v.description("address:line"))),
  conditions: v.pipe(v.array(v.string()), v.description("At-rules around it, outermost first")),
  declarations: v.array(DeclarationSchema),
});

const EdgesSchema = v.strictObject({ top: v.number(), right: v.number(), bottom: v.number(), left: v.number() });

export const ChangeSchema = v.strictObject({
  id: v.number(),
  element: v.string(),
  property: v.string(),
  before: v.pipe(v.string(), v.description("Its declaration before; empty when there was none")),
  after: v.string(),
});

export type Change = v.InferOutput<typeof ChangeSchema>;

export const InspectionSchema = v.strictObject({
  element: v.exactOptional(ElementSchema),
  box: v.exactOptional(
    v.pipe(
      v.strictObject({
        x: v.number(),
        y: v.number(),
        width: v.number(),
        height: v.number(),
        margin: EdgesSchema,
        border: EdgesSchema,
        padding: EdgesSchema,
      }),
      v.description("In CSS pixels; x, y, width and height are of the border box, in the page's viewport"),
    ),
  ),
  rules: v.exactOptional(
    v.pipe(v.array(RuleSchema), v.description("Strongest first, as far as no !important says otherwise")),
  ),
  inherited: v.exactOptional(v.array(v.strictObject({ from: v.string(), rules: v.array(RuleSchema) }))),
  pseudoElements: v.exactOptional(v.array(v.strictObject({ name: v.string(), rules: v.array(RuleSchema) }))),
  applied: v.exactOptional(
    v.pipe(
      v.record(v.string(), v.strictObject({ value: v.string(), from: v.string() })),
      v.description("The winning declaration of each property that one was made for"),
    ),
  ),
  computed: v.exactOptional(v.record(v.string(), v.string())),
  history: v.exactOptional(v.pipe(v.array(ChangeSchema), v.description("Changes that `style --undo` can take back"))),
});

export type Inspection = v.InferOutput<typeof InspectionSchema>;
type Rule = v.InferOutput<typeof RuleSchema>;
type Edges = v.InferOutput<typeof EdgesSchema>;

export function inspectionText({ element, box, history, ...styles }: Inspection): string {
  if (history) return historyText(history);
  const { rules = [], inherited = [], pseudoElements = [], computed = {} } = styles;
  return [
    element ? elementText(element) : "",
    box ? boxText(box) : "It has no box",
    "",
    ...(rules.length === 0 ? ["No rules of the page match it"] : rules.flatMap(ruleLines)),
    ...pseudoElements.flatMap(({ name, rules: own }) => ["", `::${name}`, ...own.flatMap(ruleLines)]),
    ...inherited.flatMap(({ from, rules: own }) => ["", `Inherited from ${from}`, ...own.flatMap(ruleLines)]),
    "",
    "Computed",
    ...Object.entries(computed).map(([name, value]) => `  ${name}: ${value}`),
  ].join("\n");
}

function historyText(history: NonNullable<Inspection["history"]>): string {
  if (history.length === 0) return "`style` has changed nothing in this tab";
  return history.map(changeText).join("\n");
}

export function changeText({ id, element, property, before, after }: Change): string {
  return `${id} ${element} ${property}: ${before || "(none)"} → ${after || "(none)"}`;
}

function boxText({ x, y, width, height, margin, border, padding }: NonNullable<Inspection["box"]>): string {
  const place = `${rounded(width)}x${rounded(height)} at ${rounded(x)},${rounded(y)}`;
  return `Box ${place}, margin ${edgesText(margin)}, border ${edgesText(border)}, padding ${edgesText(padding)}`;
}

/** As CSS writes them: one number when all are the same. */
function edgesText({ top, right, bottom, left }: Edges): string {
  const all = [top, right, bottom, left].map(rounded);
  return new Set(all).size === 1 ? `${all[0]}` : all.join(" ");
}

function rounded(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

function ruleLines({ kind, origin, selector, specificity, source, conditions, declarations }: Rule): string[] {
  const head = [
    kind === "rule" ? selector : [kind.replace("-", " "), selector].join(" ").trim(),
    ...(specificity ? [`(${specificity.join(",")})`] : []),
    ...(source === undefined ? [] : [shortSource(source)]),
    ...(origin === "author" ? [] : [`[${origin}]`]),
    ...conditions,
  ];
  return [head.join("  "), ...declarations.map(declarationLine)];
}

function declarationLine({ name, value, important, state }: Rule["declarations"][number]): string {
  const text = `  ${name}: ${value}${important ? " !important" : ""}`;
  return state === "applies" ? text : `${text}  [${state}]`;
}

/** `shop.css:12`; the whole address is in the typed answer. */
function shortSource(source: string): string {
  const [, file, line] = /([^/]*?)(?:\?[^:]*)?:(\d+)$/.exec(source) ?? [];
  return file === undefined ? source : `${file || "(page)"}:${line}`;
}
