import { basename } from "node:path";
import * as v from "valibot";
import { dropFiles } from "../../refs/act/drop.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { FilesParam } from "./_files.ts";

export default defineCommand({
  name: "drop",
  category: "interact",
  summary: "Drop files on an element, as from a file manager",
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target, files: FilesParam }),
  cli: { positional: ["target"], rest: "files" },
  result: v.strictObject({ element: ElementSchema, files: v.array(v.string()) }),
  examples: ["browse drop '#receipts' receipt.txt"],
  async run({ tab, signal }, { target, files }) {
    const ref = await resolve(tab, target, { signal });
    await dropFiles(tab, ref, files, { signal });
    return { files: files.map((file) => basename(file)), element: elementOf(ref) };
  },
  render: ({ element, files }) => `Dropped ${files.join(", ")} on ${elementText(element)}`,
});
