/** Which pages a run compares. */
import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PAGE_NAMES } from "../../bench/pages/mod.ts";
import type { PageServer } from "../../bench/pages/serve.ts";

const FIXTURES = join(import.meta.dirname, "../../spec/fixtures");

/** Pages that cannot be compared; ours reads them all (spec/commands/read/documents.test.ts). */
const INCOMPARABLE = new Set([
  // A field named `getAttribute` hides that method from the driver's script, which throws.
  "hostile_names.html",
  // The driver waits for ever for an element in a document that has none.
  "only_script.html",
  // It draws itself anew all the time, so that the two never see the same elements.
  "spa.html",
]);

/** URLs of what is named: a URL, an HTML file, or every HTML file in a folder. */
export function urlsOf(target: string): string[] {
  if (/^[a-z]{2,}:/i.test(target)) return [target];
  const path = resolve(target);
  if (!statSync(path).isDirectory()) return [pathToFileURL(path).href];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.html?$/.test(name))
    .sort()
    .map((name) => pathToFileURL(join(path, name)).href);
}

export function fixtureUrls(): string[] {
  return urlsOf(FIXTURES).filter((url) => !INCOMPARABLE.has(basename(url)));
}

export function benchUrls(server: PageServer): string[] {
  return PAGE_NAMES.map((name) => server.url(name));
}
