/** Which pages a run compares. */
import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PAGE_NAMES } from "../../bench/pages/mod.ts";
import type { PageServer } from "../../bench/pages/serve.ts";

const FIXTURES = join(import.meta.dirname, "../../spec/fixtures");

/** A field named `getAttribute` hides that method from the driver's script, which then throws. Ours reads the page. */
const DRIVER_THROWS = new Set(["hostile_names.html"]);

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
  return urlsOf(FIXTURES).filter((url) => !DRIVER_THROWS.has(basename(url)));
}

export function benchUrls(server: PageServer): string[] {
  return PAGE_NAMES.map((name) => server.url(name));
}
