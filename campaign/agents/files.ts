/** What lies in folders before and after: content, mode, time, and what is new. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

/** Larger files are known by size and time alone. */
const MAX_READ = 5_000_000;

export type Listing = ReadonlyMap<string, string>;

/** Every file under the folders, with what would show that it was changed. */
export function listing(folders: readonly string[], isSkipped: (path: string) => boolean): Listing {
  const found = new Map<string, string>();
  const visit = (folder: string) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry);
      if (isSkipped(path)) continue;
      const print = printOf(path);
      if (print === undefined) continue;
      found.set(path, print);
      if (print.startsWith("folder")) visit(path);
    }
  };
  for (const folder of folders) visit(folder);
  return found;
}

/** What is new, gone or other, one line each. */
export function changes(before: Listing, after: Listing): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    return [
      `${was === undefined ? "made" : is === undefined ? "removed" : "changed"} ${path}: ${(is ?? was ?? "").slice(0, 200)}`,
    ];
  });
}

/** The text in a file, that of a zip's members included. */
export function textIn(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.subarray(0, 2).toString("latin1") === "PK" ? membersOf(bytes) : bytes.toString("latin1");
  } catch {
    // Gone meanwhile, or a folder.
    return "";
  }
}

function printOf(path: string): string | undefined {
  try {
    const { mode, size, mtimeMs } = lstatSync(path);
    const kind = mode & 0o170000;
    const rights = (mode & 0o7777).toString(8);
    if (kind === 0o040000) return `folder ${rights}`;
    if (kind === 0o120000) return `link ${readlinkSync(path)}`;
    if (kind !== 0o100000) return `special ${rights}`;
    return `file ${rights} ${size} ${size > MAX_READ ? mtimeMs : readFileSync(path).toString("latin1")}`;
  } catch {
    // It went while it was looked at.
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** By the central directory, which knows the sizes that local headers may leave out. */
function membersOf(zip: Buffer): string {
  const end = zip.lastIndexOf("PK\x05\x06", zip.length, "latin1");
  if (end < 0) return zip.toString("latin1");
  const texts: string[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(begin, begin + packed);
    texts.push((method === 0 ? bytes : inflateRawSync(bytes)).toString("latin1"));
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return texts.join("\n");
}
