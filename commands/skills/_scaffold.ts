/** A whole small skill, to be changed into what is wanted. */
import { completeUrl } from "../../security/urls/complete_url.ts";
import { MANIFEST_FILE, SCRIPT_FILE } from "../../skills/skill.ts";

interface Wanted {
  name: string;
  host: string;
  description: string;
}

/** Its files but the SDK, by name. */
export function scaffold({ name, host, description }: Wanted, now: Date): Record<string, string> {
  const site = host === "*" ? "example.com" : host;
  const fixture = `${site.replaceAll(/[^a-zA-Z0-9.-]+/g, "-").replace(/^[.-]+/, "")}-${now.toISOString().slice(0, 10)}.txt`;
  return {
    [MANIFEST_FILE]: manifestText({ name, host, description }, site),
    [SCRIPT_FILE]: SCRIPT,
    "script.spec.ts": specText(fixture),
    [`fixtures/${fixture}`]: FIXTURE,
  };
}

/** A JSON string is YAML, too. */
function manifestText({ name, host, description }: Wanted, site: string): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
host: ${JSON.stringify(host)}
args:
  - name: url
    description: The page
    default: ${JSON.stringify(`${completeUrl(site, { cwd: "/" })}/`)}
# \`write\` is for going to the page.
scopes: [read, write]
tabs: fresh
version: 1
source: agent
timeout: 60s
---

Gives \`{ first, lines }\`: the first line of the page's text, and how many lines that has.
`;
}

const SCRIPT = `import type { Browse } from "./client.ts";

interface Args {
  url: string;
}

interface Log {
  log: (message: string) => void;
}

/** What the text of a page says. It needs no browser, so script.spec.ts can test it. */
export function parse(text: string): { first: string; lines: number } {
  const lines = text.split("\\n").filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  return { first, lines: lines.length };
}

/** What it gives is the result of a run. */
export async function main(browse: Browse, { url }: Args, { log }: Log): Promise<ReturnType<typeof parse>> {
  log(\`Reading \${url}\`);
  await browse.goto({ url });
  const { text } = await browse.text({});
  return parse(text);
}
`;

const FIXTURE = `Example Domain

This domain is for use in documents.
`;

function specText(fixture: string): string {
  return `import assert from ${ofNode("assert/strict")};
import { readFileSync } from ${ofNode("fs")};
import { test } from ${ofNode("test")};
import { parse } from "./script.ts";

const text = readFileSync(new URL(${JSON.stringify(`fixtures/${fixture}`)}, import.meta.url), "utf8");

test("reads the first line", () => {
  assert.deepEqual(parse(text), { first: "Example Domain", lines: 2 });
});
`;
}

/** The build takes whatever reads like an import of Node's modules for one of ours. */
function ofNode(name: string): string {
  return `"node:${name}"`;
}
