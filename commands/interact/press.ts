import * as v from "valibot";
import { focusedIn } from "../../refs/act/focus.ts";
import { pressKey } from "../../refs/act/keyboard.ts";
import { characterOf, mayType } from "../../refs/act/keys.ts";
import { endTyped, noteTyped } from "../../refs/act/typed_keys.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "press",
  category: "interact",
  summary: "Press a key or a key combination",
  description:
    "The journal shows the names of keys and combinations, but hides single characters, which may be part of a password.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  params: v.strictObject({
    key: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(100),
      v.description("Enter, Shift+Tab, Control+A, …"),
    ),
  }),
  // Passwords and codes are typed so too, and whether the field is such a one is not known when the call is written down.
  sensitive: ({ key }) => (typeof key === "string" && mayType(key) ? ["key"] : []),
  cli: { positional: ["key"] },
  result: v.strictObject({ key: v.string() }),
  examples: ["browse press Tab", "browse press Shift+Tab"],
  async run({ tab, signal }, { key }) {
    if (!mayType(key)) endTyped(tab);
    else noteTyped(tab, characterOf(key), await focusedIn(tab, { signal }));
    await pressKey(tab, key, { signal });
    return { key };
  },
  render: ({ key }) => `Pressed ${key}`,
});
