import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { tellHidden } from "../tell_hidden.ts";
import { findInSnapshot } from "./_find.ts";

export default defineCommand({
  name: "find",
  category: "read",
  summary: "Find text on the page: the matching snapshot lines with their refs",
  description:
    "Plain text ignores case; /regex/ and /regex/i are matched with each line of a snapshot, and with each name and text by itself, " +
    "so that ^ and $ stand for where it begins and ends. Ancestors are shown above each match.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    text: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(500),
      v.description("Part of a name or text, or /a regular expression/"),
    ),
    context: v.exactOptional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(50), v.description("Lines around each match")),
    ),
  }),
  cli: { rest: "text" },
  result: v.strictObject({
    matches: v.number(),
    shown: v.exactOptional(
      v.pipe(v.number(), v.description("How many of the matches are in the text, when it is not all")),
    ),
    searched: v.exactOptional(
      v.pipe(v.number(), v.description("How many nodes were searched, when the page has more")),
    ),
    text: v.string(),
  }),
  examples: ["browse find cart", "browse find '/add .* cart/i' --context 2"],
  async run(call, { text, context = 0 }) {
    const { tab, signal } = call;
    return await tellHidden(call, (onHidden) => findInSnapshot(tab, text, { context, signal, onHidden }));
  },
  render({ matches, shown, searched, text }) {
    const among = searched === undefined ? "" : ` among the first ${searched} nodes of the page, which has more`;
    if (matches === 0) return `No match${among}`;
    const counts = shown === undefined ? `${matches}` : `The first ${shown} of ${matches}`;
    const isWhole = shown === undefined && searched === undefined;
    return isWhole ? text : `${text}\n… ${counts} ${matches === 1 ? "match" : "matches"}${among}`;
  },
});
