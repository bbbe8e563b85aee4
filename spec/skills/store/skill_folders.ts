/** Skills on disk, for tests. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SDK = join(import.meta.dirname, "../../../client.ts");

export const FRONT = "description: A skill\nhost: shop.example";

/** Writes a skill that can be used, with other files in place of its own where they are given; `undefined` leaves one out. */
export function writeSkill(
  folder: string,
  name: string,
  files: Record<string, string | Buffer | undefined> = {},
): string {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  copyFileSync(SDK, join(dir, "client.ts"));
  const all = {
    "SKILL.md": `---\nname: ${name}\n${FRONT}\n---\n`,
    "script.ts": "export const main = () => 1;\n",
    ...files,
  };
  for (const [file, content] of Object.entries(all)) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), content);
  }
  return dir;
}
