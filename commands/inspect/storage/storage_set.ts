import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { ask } from "../../../refs/reader.ts";
import { defineCommand } from "../../command.ts";
import { isSecret } from "../../params.ts";

export default defineCommand({
  name: "storage.set",
  category: "inspect",
  summary: "Set one item of the page's local storage, or with --session of its session storage",
  scope: "admin",
  effect: "browser",
  needs: "tab",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({
    key: v.pipe(v.string(), v.maxLength(10_000), v.description("Of the item")),
    value: v.pipe(v.string(), v.maxLength(5_000_000), v.description("To store; never echoed"), isSecret()),
    localStorage: v.exactOptional(v.pipe(v.boolean(), v.description("In local storage, as when neither is given"))),
    sessionStorage: v.exactOptional(v.pipe(v.boolean(), v.description("In session storage"))),
  }),
  exclusive: [["localStorage", "sessionStorage"]],
  cli: { positional: ["key", "value"], flags: { localStorage: "local", sessionStorage: "session" } },
  result: v.strictObject({ set: v.pipe(v.string(), v.description("The key that was set")) }),
  examples: ["browse storage set theme dark"],
  async run({ frame, signal }, { key, value, sessionStorage = false }) {
    const area = sessionStorage ? "session" : "local";
    const { refused } = await ask(frame, "store", { area, key, value }, { signal });
    if (refused === undefined) return { set: key };
    throw new BrowseError("unsupported", `The page's ${area} storage refused the item: ${refused}`, {
      hint: "Storage needs an http or https page, and has a quota of about 5 MB",
    });
  },
  render: ({ set }) => `Set ${JSON.stringify(set)}`,
});
