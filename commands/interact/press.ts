import * as v from "valibot";
import { pressKey } from "../../refs/keyboard.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "press",
  category: "interact",
  summary: "Press a key or a chord",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "plain",
  params: v.strictObject({
    key: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(100),
      v.description("Enter, Shift+Tab, Control+A, …"),
    ),
  }),
  cli: { positional: ["key"] },
  result: v.strictObject({ key: v.string() }),
  examples: ["browse press Tab", "browse press Shift+Tab"],
  async run({ tab, signal }, { key }) {
    await pressKey(tab, key, { signal });
    return { key };
  },
  render: ({ key }) => `Pressed ${key}`,
});
