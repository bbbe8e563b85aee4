import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { runScript } from "../../browser/tabs/script.ts";
import { defineCommand } from "../command.ts";
import { FileName, readsFile } from "../params.ts";
import { outParams, ScriptResultSchema, scriptResult, scriptText } from "./_script_value.ts";

export default defineCommand({
  name: "eval",
  category: "inspect",
  summary: "Run a JavaScript file in the page and print its value",
  scope: "admin",
  effect: "code",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    file: v.pipe(
      FileName,
      v.description("The script: .js, .mjs or .cjs"),
      readsFile({ extensions: [".js", ".mjs", ".cjs"] }),
    ),
    ...outParams,
  }),
  cli: { positional: ["file"] },
  result: ScriptResultSchema,
  examples: ["browse eval count-links.js"],
  async run(context, { file, out, raw }) {
    const source = await readFile(file, { encoding: "utf8", signal: context.signal });
    return await scriptResult(context, await runScript(context.frame, source), { out, raw });
  },
  render: scriptText,
});
