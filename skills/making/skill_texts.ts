/** What stands beside the script of a skill: its manifest, and the test of its parser. */
import type { LiftedArg } from "./args.ts";
import { commentText } from "./source_text.ts";

export interface ManifestRequest {
  name: string;
  description: string;
  host: string;
  args: readonly LiftedArg[];
  scopes: readonly string[];
  /** What it does, one line a step. */
  steps: readonly string[];
}

/** SKILL.md. Each value is a JSON string, which is YAML too, whatever the page had called things. */
export function manifestText({ name, description, host, args, scopes, steps }: ManifestRequest): string {
  const listed = args.flatMap(({ name: arg, description: what, default: value }) => [
    `  - name: ${arg}`,
    `    description: ${quoted(what)}`,
    ...(value === undefined ? ["    required: true"] : [`    default: ${JSON.stringify(value)}`]),
  ]);
  return [
    "---",
    `name: ${name}`,
    `description: ${quoted(description)}`,
    `host: ${JSON.stringify(host)}`,
    ...(listed.length > 0 ? ["args:", ...listed] : []),
    `scopes: [${scopes.join(", ")}]`,
    "tabs: fresh",
    "source: agent",
    "version: 1",
    "---",
    "",
    `It was made by \`browse skill codify\` of calls that led to what it answers:`,
    "",
    ...steps.map((step, at) => `${at + 1}. ${commentText(step)}`),
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return JSON.stringify(commentText(text) || "no description");
}

/** script.spec.ts, for \`node script.spec.ts\`. */
export function specText(fixture: string, expected: unknown): string {
  const json = JSON.stringify(expected, undefined, 2).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return [
    imported("assert", "node:assert/strict"),
    imported("{ readFileSync }", "node:fs"),
    imported("{ test }", "node:test"),
    imported("{ parse }", "./script.ts"),
    "",
    `/** What the page of ${fixture}.html answered when the skill was made. */`,
    `const { answer } = JSON.parse(readFileSync(new URL("./fixtures/${fixture}.json", import.meta.url), "utf8"));`,
    "",
    'test("what the page said is understood", () => {',
    `  assert.deepEqual(parse(answer), ${json.replaceAll("\n", "\n  ")});`,
    "});",
    "",
  ].join("\n");
}

/** Put together here, since the build takes what reads like an import for one. */
function imported(what: string, from: string): string {
  return `import ${what} from "${from}";`;
}
