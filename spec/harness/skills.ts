/** Skills of a project, as their authors write them. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SDK = join(import.meta.dirname, "../../client.ts");

export interface SkillText {
  /** Lines of the manifest beside name, description and host. */
  manifest?: string;
  host?: string;
  /** Of `main(browse, args, { log })`. */
  body: string;
  /** By name: the text of other files in its folder. */
  files?: Record<string, string>;
}

/** Writes the skill into the project's or the user's folder of skills, and gives its own folder. */
export function writeSkill(
  folder: string,
  name: string,
  { manifest = "", host = '"*"', body, files = {} }: SkillText,
): string {
  const dir = join(folder, "skills", name);
  for (const made of [folder, join(folder, "skills"), dir]) mkdirSync(made, { recursive: true, mode: 0o700 });
  copyFileSync(SDK, join(dir, "client.ts"));
  writeFileSync(
    join(dir, "SKILL.md"),
    `---\nname: ${name}\ndescription: Made for a test\nhost: ${host}\n${manifest}\n---\n`,
  );
  writeFileSync(
    join(dir, "script.ts"),
    `import type { Browse } from "./client.ts";\n\nexport async function main(browse: Browse, args: any, { log }: { log: (text: string) => void }) {\n${body}\n}\n`,
  );
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}
