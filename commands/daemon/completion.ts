import * as v from "valibot";
import { defineCommand } from "../command.ts";

const Shell = v.pipe(v.picklist(["bash", "zsh", "fish"]), v.description("The shell to teach"));

export default defineCommand({
  name: "completion",
  category: "daemon",
  summary: "Print a script that completes commands and flags in a shell",
  description: "For this shell only: `source <(browse completion bash)`. The script says where to keep it for all.",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  isWhole: true,
  params: v.strictObject({ shell: Shell }),
  cli: { positional: ["shell"] },
  result: v.strictObject({ script: v.string() }),
  examples: ["browse completion bash", "browse completion zsh", "browse completion fish"],
  run: ({ daemon }, { shell }) => ({ script: daemon.completionFor(shell) }),
  render: ({ script }) => script,
});
