import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { jsonLines } from "../json_lines.ts";
import { auditPage } from "./_ux_audit.ts";

const ListOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject({
    items: v.array(v.strictObject(entries)),
    total: v.pipe(v.number(), v.description("With those beyond the limit of the list")),
  });

const element = { ref: v.string(), role: v.string(), name: v.string() };

const LinkSchema = v.strictObject({ text: v.string(), url: v.string(), isCurrent: v.boolean() });

export default defineCommand({
  name: "ux-audit",
  category: "read",
  summary: "Describe the page as its visitor meets it: identity, navigation, headings, controls, text, forms",
  description:
    "JSON, for judging how well a page tells whose it is, where one is and what one can do. At most 50 headings, " +
    "200 controls and 50 blocks of text; each list says how many there are.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({}),
  result: v.strictObject({
    url: v.string(),
    title: v.string(),
    lang: v.string(),
    description: v.string(),
    siteName: v.string(),
    home: v.pipe(
      v.nullable(v.strictObject({ text: v.string(), url: v.string() })),
      v.description("The link to the start page"),
    ),
    logo: v.nullable(v.strictObject({ alt: v.string(), url: v.string() })),
    search: v.nullable(v.strictObject(element)),
    viewport: v.strictObject({ width: v.number(), height: v.number() }),
    pageHeight: v.number(),
    landmarks: ListOf(element),
    navigation: ListOf({ ...element, links: v.array(LinkSchema) }),
    headings: ListOf({ ...element, level: v.number() }),
    interactive: ListOf({
      ...element,
      width: v.pipe(v.number(), v.description("CSS pixels")),
      height: v.number(),
      isInView: v.pipe(v.boolean(), v.description("Without scrolling")),
      isDisabled: v.boolean(),
    }),
    text: ListOf({ words: v.number(), excerpt: v.string(), width: v.number(), fontSize: v.number() }),
    forms: ListOf({
      name: v.string(),
      fields: v.number(),
      required: v.number(),
      unlabeled: v.pipe(v.number(), v.description("Fields that no label names")),
      submit: v.pipe(v.string(), v.description("What the button says")),
    }),
  }),
  examples: ["browse ux-audit"],
  async run({ tab, signal }) {
    return await auditPage(tab, { signal });
  },
  render: (result) => jsonLines(result) ?? "",
});
