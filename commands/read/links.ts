import * as v from "valibot";
import { askAbout } from "../../refs/read/ask_about.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "links",
  category: "read",
  summary: "List links: text and absolute address",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  params: v.strictObject({ target: v.exactOptional(Target) }),
  cli: { positional: ["target"] },
  result: v.strictObject({ links: v.array(v.strictObject({ text: v.string(), url: v.string() })) }),
  examples: ["browse links", "browse links nav"],
  async run({ tab, signal }, { target }) {
    const { links } = await askAbout(tab, target, "links", {}, { signal });
    return { links };
  },
  render({ links }) {
    if (links.length === 0) return "No links";
    return links.map(({ text, url }) => `${text.replace(/\s+/g, " ").trim()} → ${url}`).join("\n");
  },
});
