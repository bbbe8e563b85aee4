/** The product's commands as it describes them itself, so that new ones join by themselves. */
import { splitWords } from "../wording.ts";
import type { Workspace } from "./workspace.ts";

export interface KnownCommand {
  name: string;
  category: string;
  scope: string;
  effect: string;
  params: readonly string[];
  /** Command lines as words, the program's name left out. */
  examples: readonly (readonly string[])[];
}

interface Method {
  name: string;
  tags: { name: string }[];
  params: { name: string }[];
  examples?: { name: string }[];
  "x-scope"?: string;
  "x-effect"?: string;
}

/** The host that examples name. */
const EXAMPLE_ORIGIN = "http://shop.example";

/** Those of the running daemon; addresses in examples lead to `origin`. */
export async function knownCommands(workspace: Workspace, origin: string): Promise<KnownCommand[]> {
  const { stdout, stderr } = await workspace.cli(["docs", "--openrpc", "--max-chars", "10000000"]);
  if (!stdout.startsWith("{")) throw new Error(`The commands are not told: ${stderr}`);
  const { methods } = JSON.parse(stdout) as { methods: Method[] };
  return methods.flatMap(({ name, tags, params, examples = [], "x-scope": scope, "x-effect": effect }) => {
    const [category = "protocol"] = tags.map((tag) => tag.name);
    if (category === "protocol" || scope === undefined || effect === undefined) return [];
    const lines = examples.flatMap((example) => {
      const [program, ...argv] = splitWords(example.name.replaceAll(EXAMPLE_ORIGIN, origin)).lines[0] ?? [];
      return program === "browse" ? [argv] : [];
    });
    return [{ name, category, scope, effect, params: params.map((param) => param.name), examples: lines }];
  });
}
