import * as v from "valibot";
import { upload } from "../../refs/act/upload.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { FilesParam } from "./_files.ts";

export default defineCommand({
  name: "upload",
  category: "interact",
  summary: "Upload files through a file field, or through a button that opens a file chooser",
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target, files: FilesParam }),
  cli: { positional: ["target"], rest: "files" },
  result: v.strictObject({ element: ElementSchema, files: v.array(v.string()) }),
  examples: ["browse upload 'input[type=file]' receipt.txt"],
  async run({ tab, signal }, { target, files }) {
    const ref = await resolve(tab, target, { signal });
    return { files: await upload(tab, ref, files, { signal }), element: elementOf(ref) };
  },
  render: ({ element, files }) => `Uploaded ${files.join(", ")} to ${elementText(element)}`,
});
