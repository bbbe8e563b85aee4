import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { accessibilityTree, renderAccessibility } from "./_accessibility.ts";

const NodeSchema = v.strictObject({
  depth: v.pipe(v.number(), v.description("0 at the top")),
  role: v.string(),
  name: v.string(),
  description: v.exactOptional(v.string()),
  properties: v.exactOptional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
});

export default defineCommand({
  name: "accessibility",
  category: "read",
  summary: "Read the whole accessibility tree as the browser computes it",
  description:
    "For looking into how assistive technology sees a page; to act on it, use `snapshot`. Values of fields are left out, " +
    "and very long texts exceed its limit.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  timeoutMs: 60_000,
  params: v.strictObject({}),
  result: v.strictObject({ nodes: v.array(NodeSchema) }),
  examples: ["browse accessibility"],
  async run({ tab }) {
    return { nodes: await accessibilityTree(tab) };
  },
  render: ({ nodes }) => renderAccessibility(nodes),
});
