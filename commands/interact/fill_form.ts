import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { isSecret, Target } from "../params.ts";
import { type FormEntry, fillForm } from "./_fill_form.ts";

const Value = v.union([
  v.pipe(v.string(), v.maxLength(1_000_000)),
  v.number(),
  v.boolean(),
  v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1_000)),
]);
const MAX_FIELDS = 500;

const Fields = v.pipe(
  v.union([v.array(v.strictObject({ target: Target, value: Value })), v.record(v.string(), Value)]),
  v.description("An object of target → value, or a list of {target, value}; true and false check and uncheck"),
  isSecret(),
);

export default defineCommand({
  name: "fill-form",
  category: "interact",
  summary: "Fill many fields at once, or none if one of them cannot be filled",
  description:
    "Every field is found, and checked to accept its value, before the first is touched. Text fills, true and false " +
    "check and uncheck, and a list takes the value, label or text of its options. Values are never echoed or logged.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ fields: Fields }),
  cli: { positional: ["fields"], stdin: "fields" },
  result: v.strictObject({ filled: v.array(ElementSchema) }),
  examples: [
    `browse fill-form '{"label=Search": "lamp", "select": "Large", "role=checkbox": true}'`,
    `browse fill-form '[{"target": "label=Search", "value": "lamp"}]'`,
  ],
  async run({ tab, signal }, { fields }) {
    const entries = entriesOf(fields);
    if (entries.length === 0 || entries.length > MAX_FIELDS) {
      throw new BrowseError("invalid_params", `<fields> takes 1 to ${MAX_FIELDS} fields, not ${entries.length}`);
    }
    return { filled: (await fillForm(tab, entries, { signal })).map(elementOf) };
  },
  render: ({ filled }) => `Filled ${filled.map(elementText).join(", ")}`,
});

function entriesOf(fields: v.InferOutput<typeof Fields>): FormEntry[] {
  const entries = Array.isArray(fields) ? fields : Object.entries(fields).map(([target, value]) => ({ target, value }));
  return entries.map(({ target, value }) => ({ target, value: typeof value === "number" ? String(value) : value }));
}
