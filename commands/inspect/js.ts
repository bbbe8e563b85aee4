import * as v from "valibot";
import { runScript } from "../../browser/tabs/script.ts";
import { defineCommand } from "../command.ts";
import { outParams, ScriptResultSchema, scriptResult, scriptText } from "./_script_value.ts";

export default defineCommand({
  name: "js",
  category: "inspect",
  summary: "Run JavaScript in the page and print its value",
  description:
    "An expression or statements; `await` works in both, and the value is that of the last expression. Values that " +
    "JSON cannot represent are shown descriptively, such as `10n`, `[Window]` or `[Circular]`, and a map or set as its entries.",
  aliases: ["eval-js"],
  scope: "admin",
  effect: "code",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    code: v.pipe(
      v.string(),
      v.minLength(1, "must not be empty"),
      v.maxLength(1_000_000),
      v.description("An expression or statements; await works"),
    ),
    ...outParams,
  }),
  cli: { rest: "code", stdin: "code" },
  result: ScriptResultSchema,
  examples: ["browse js document.title", "browse js 'await fetch(location.href).then((r) => r.status)'"],
  async run(context, { code, out, raw }) {
    return await scriptResult(context, await runScript(context.frame, code), { out, raw });
  },
  render: scriptText,
});
