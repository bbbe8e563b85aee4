import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { jsonLines } from "../json_lines.ts";
import { readForms } from "./_forms.ts";

const OptionSchema = v.strictObject({ value: v.string(), label: v.string(), selected: v.boolean() });

const FieldSchema = v.strictObject({
  ref: v.string(),
  role: v.string(),
  tag: v.string(),
  type: v.string(),
  name: v.string(),
  label: v.string(),
  required: v.boolean(),
  disabled: v.boolean(),
  value: v.pipe(v.string(), v.description("Masked for passwords and other secrets")),
  checked: v.exactOptional(v.boolean()),
  options: v.exactOptional(v.pipe(v.array(OptionSchema), v.description("The first 1,000"))),
  moreOptions: v.exactOptional(v.number()),
});

const FormSchema = v.strictObject({
  action: v.string(),
  method: v.string(),
  name: v.string(),
  fields: v.array(FieldSchema),
});

export default defineCommand({
  name: "forms",
  category: "read",
  summary: "List forms with their fields, labels and values",
  description: "JSON. Fields outside any form come last, under a form without action. Secret values are masked.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: v.strictObject({}),
  result: v.strictObject({ forms: v.array(FormSchema) }),
  examples: ["browse forms"],
  async run({ tab, signal }) {
    return { forms: await readForms(tab, { signal }) };
  },
  render: ({ forms }) => jsonLines(forms) ?? "",
});
