/**
 * Puts the SDK beside each skill that ships. A skill's folder has all that it runs with, and a copy that is made cannot differ
 * from its original: six copies of one file in the repository would, and would be read as six files.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Leaves those alone that are as they should be, since what runs may be reading them. */
export function copySdk(): void {
  const sdk = readFileSync(join(root, "client.ts"));
  const bundled = join(root, "skills/bundled");
  for (const skill of readdirSync(bundled, { withFileTypes: true })) {
    if (!skill.isDirectory()) continue;
    const copy = join(bundled, skill.name, "client.ts");
    if (existsSync(copy) && readFileSync(copy).equals(sdk)) continue;
    // Outside of the skill's folder, where it would be one of its files.
    const partial = join(bundled, `.client.ts.${process.pid}`);
    writeFileSync(partial, sdk);
    renameSync(partial, copy);
  }
}
