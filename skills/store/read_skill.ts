/** One folder as a skill, or why it is none. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../security/files/error_code.ts";
import { MANIFEST_FILE, SCRIPT_FILE, SDK_FILE, type SkillManifest } from "../skill.ts";
import { parseSkillText } from "./manifest.ts";
import { type ListedFile, listSkillFiles, readSkillFiles, type SkillFile, stampOf } from "./skill_files.ts";
import { RUNNING_SDK } from "./tiers.ts";
import { Unusable } from "./unusable.ts";

/** What is in the folder, whoever trusts it. */
export interface ReadSkill {
  manifest: SkillManifest;
  /** SHA-256 of all files, in hexadecimal. */
  hash: string;
  isCurrentSdk: boolean;
}

export interface ReadWhole extends ReadSkill {
  /** What SKILL.md says after the manifest. */
  prose: string;
  files: SkillFile[];
}

export type Looked<Read> = { read: Read } | { reason: string };

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Read now, with every file. Undefined when there is no such folder. */
export function readSkill(folder: string, name: string): Looked<ReadWhole> | undefined {
  return looked(() => {
    assertName(name);
    const dir = join(folder, name);
    return parsed(dir, name, listSkillFiles(dir));
  });
}

/** What was read the last time, as long as nothing has changed since, by the system's word. */
export class SeenSkills {
  readonly #seen = new Map<string, { stamp: string; last: Looked<ReadSkill> }>();

  look(folder: string, name: string): Looked<ReadSkill> | undefined {
    const dir = join(folder, name);
    let stamp = "";
    const now = looked<Looked<ReadSkill>>(() => {
      assertName(name);
      const listed = listSkillFiles(dir);
      stamp = stampOf(listed);
      const known = this.#seen.get(dir);
      return known?.stamp === stamp ? known.last : short(looked(() => parsed(dir, name, listed)));
    });
    if (now === undefined || "reason" in now) return now;
    this.#seen.set(dir, { stamp, last: now.read });
    return now.read;
  }

  /** Forgets those that are not there any more. */
  keepOnly(dirs: ReadonlySet<string>): void {
    for (const dir of this.#seen.keys()) if (!dirs.has(dir)) this.#seen.delete(dir);
  }
}

function assertName(name: string): void {
  if (NAME.test(name)) return;
  throw new Unusable("the name of its folder is not of lower-case letters, digits and hyphens, 64 at most");
}

function parsed(dir: string, name: string, listed: readonly ListedFile[]): ReadWhole {
  const { files, hash } = readSkillFiles(dir, listed);
  const bytesOf = (file: string) => {
    const found = files.find((each) => each.name === file);
    if (found) return found.bytes;
    throw new Unusable(`it has no ${file}`);
  };
  const { manifest, prose } = parseSkillText(bytesOf(MANIFEST_FILE));
  if (manifest.name !== name) throw new Unusable(`${MANIFEST_FILE} calls it ${JSON.stringify(manifest.name)}`);
  bytesOf(SCRIPT_FILE);
  return { manifest, prose, files, hash, isCurrentSdk: bytesOf(SDK_FILE).equals(runningSdk()) };
}

/** Without the files, which nobody keeps. */
function short(whole: Looked<ReadWhole> | undefined): Looked<ReadSkill> {
  if (whole === undefined) return { reason: "it was removed just now" };
  if ("reason" in whole) return whole;
  const { manifest, hash, isCurrentSdk } = whole.read;
  return { read: { manifest, hash, isCurrentSdk } };
}

/** Undefined when what `look` looks for is not there. */
function looked<Read>(look: () => Read): Looked<Read> | undefined {
  try {
    return { read: look() };
  } catch (error) {
    if (error instanceof Unusable) return { reason: error.message };
    const code = errorCode(error);
    if (code === "unknown") throw error;
    return ["ENOENT", "ENOTDIR"].includes(code) ? undefined : { reason: `it cannot be read (${code})` };
  }
}

let sdk: Buffer | undefined;

/** The text of this version's `client.ts`. */
export function runningSdk(): Buffer {
  sdk ??= readFileSync(RUNNING_SDK);
  return sdk;
}
