/** What is in a skill's folder, read once: what is judged by its hash is what runs. Cloned repositories bring skills along. */
import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../security/files/error_code.ts";
import { MANIFEST_FILE } from "../skill.ts";
import { Unusable } from "./unusable.ts";

export const MAX_FILES = 200;
export const MAX_BYTES = 5_000_000;
const MAX_MANIFEST_BYTES = 65_536;
const MAX_DEPTH = 8;
/** Never through a link, and a pipe is not waited for. */
const SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface SkillFile {
  /** Relative to the skill's folder, parted by slashes. */
  name: string;
  bytes: Buffer;
}

interface SkillFiles {
  /** Ordered by their names' bytes. */
  files: SkillFile[];
  /** SHA-256 of all names and contents, in hexadecimal. */
  hash: string;
}

export interface ListedFile {
  name: string;
  stats: BigIntStats;
}

/** The files of a skill's folder. Throws `Unusable`, and system errors for what the system refuses. */
export function listSkillFiles(dir: string): ListedFile[] {
  const stats = lstatSync(dir);
  if (stats.isSymbolicLink()) throw new Unusable("it is a link");
  if (!stats.isDirectory()) throw new Unusable("it is not a folder");
  const files: ListedFile[] = [];
  walk(dir, "", 0, files);
  const total = files.reduce((sum, { stats }) => sum + stats.size, 0n);
  if (total > MAX_BYTES) throw new Unusable(`its files are over ${MAX_BYTES} bytes`);
  const manifest = files.find(({ name }) => name === MANIFEST_FILE);
  if (!manifest) throw new Unusable(`it has no ${MANIFEST_FILE}`);
  if (manifest.stats.size > MAX_MANIFEST_BYTES) {
    throw new Unusable(`${MANIFEST_FILE} is over ${MAX_MANIFEST_BYTES} bytes`);
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function walk(dir: string, prefix: string, depth: number, files: ListedFile[]): void {
  if (depth > MAX_DEPTH) throw new Unusable("its folders are nested too deep");
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) walk(join(dir, entry.name), `${name}/`, depth + 1, files);
    else if (!entry.isFile()) {
      throw new Unusable(`${JSON.stringify(name)} is ${entry.isSymbolicLink() ? "a link" : "no file"}`);
    } else if (files.length >= MAX_FILES) throw new Unusable(`it has over ${MAX_FILES} files`);
    else files.push({ name, stats: lstatSync(join(dir, entry.name), { bigint: true }) });
  }
}

/** Changes with every change of a file that the system knows of. */
export function stampOf(files: readonly ListedFile[]): string {
  return files
    .map(({ name, stats }) => `${name}\0${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`)
    .join("\0");
}

/** Reads what was listed. Throws `Unusable` for what has become something else, and system errors. */
export function readSkillFiles(dir: string, listed: readonly ListedFile[]): SkillFiles {
  let room = MAX_BYTES;
  const files = listed.map(({ name }): SkillFile => {
    const bytes = readFile(join(dir, name), name, room);
    room -= bytes.length;
    return { name, bytes };
  });
  return { files, hash: hashOf(files) };
}

/** Lengths are part of it, so that no two folders give the same bytes. */
function hashOf(files: readonly SkillFile[]): string {
  const hash = createHash("sha256");
  for (const { name, bytes } of files) {
    hash
      .update(`${Buffer.byteLength(name)} ${bytes.length}\n`)
      .update(name)
      .update(bytes);
  }
  return hash.digest("hex");
}

function readFile(path: string, name: string, maxBytes: number): Buffer {
  const file = opened(path, name);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Unusable(`${JSON.stringify(name)} is no file`);
    if (stats.size > maxBytes) throw new Unusable(`its files are over ${MAX_BYTES} bytes`);
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function opened(path: string, name: string): number {
  try {
    return openSync(path, SAFELY);
  } catch (error) {
    if (["ELOOP", "EMLINK"].includes(errorCode(error))) throw new Unusable(`${JSON.stringify(name)} is a link`);
    throw error;
  }
}
