import * as v from "valibot";
import { typeText } from "../../refs/keyboard.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "type",
  category: "interact",
  summary: "Type text where the focus is",
  description: "The text is never echoed, logged or journaled.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "plain",
  params: v.strictObject({ text: v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(100_000)) }),
  cli: { rest: "text", stdin: "text" },
  sensitive: ["text"],
  result: v.strictObject({ characters: v.number() }),
  examples: ["browse type hello"],
  async run({ tab, signal }, { text }) {
    await typeText(tab, text, { signal });
    return { characters: [...text].length };
  },
  render: ({ characters }) => `Typed ${characters} ${characters === 1 ? "character" : "characters"}`,
});
