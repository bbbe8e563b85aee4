/** What can happen to a file or folder of the state while nobody looks. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Somebody else on the machine. */
const NOBODY = 65_534;
const HUGE_BYTES = 200_000_000;
const DISK = "size=400k";

export interface Place {
  path: string;
  /** A file of the state, to be led to by a link that stays inside. */
  inside: string;
  /** What lies outside and is nobody's business. */
  canaryFile: string;
  canaryFolder: string;
}

export const DAMAGES = {
  missing: ({ path }) => rmSync(path, { recursive: true, force: true }),
  empty: ({ path }) => replaceBy(path, ""),
  truncated: ({ path }) => replaceBy(path, contentOf(path).subarray(0, contentOf(path).length / 2)),
  binary: ({ path }) => replaceBy(path, Buffer.from([0, 255, 254, 10, 128, 0, 13, 10, 27, 91])),
  "not what is expected": ({ path }) => replaceBy(path, '{"pid": "x", "port": [], "token": null}\n'),
  huge: ({ path }) => {
    replaceBy(path, "");
    truncateSync(path, HUGE_BYTES);
  },
  folder: ({ path }) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  },
  "link inside": ({ path, inside }) => link(path, inside),
  "link out": ({ path, canaryFile, canaryFolder }) => link(path, isFolder(path) ? canaryFolder : canaryFile),
  "dangling link out": ({ path, canaryFolder }) => link(path, join(canaryFolder, "new.txt")),
  "other owner": ({ path }) => chownSync(made(path), NOBODY, NOBODY),
  "open to all": ({ path }) => chmodSync(made(path), isFolder(path) ? 0o777 : 0o666),
  "read only": ({ path }) => chmodSync(made(path), isFolder(path) ? 0o555 : 0o444),
} satisfies Record<string, (place: Place) => void>;

export type Damage = keyof typeof DAMAGES | "full disk";

export function damageNames(): Damage[] {
  const names = Object.keys(DAMAGES) as Damage[];
  const isRoot = process.getuid?.() === 0;
  // Without root's rights neither can be made.
  return isRoot ? [...names, "full disk"] : names.filter((name) => name !== "other owner");
}

/** Puts the folder on a disk of its own that has no room left; undefined where that cannot be done. */
export function fillDisk(folder: string): { free: () => void } | undefined {
  const aside = `${folder}-aside`;
  try {
    execFileSync("cp", ["-a", folder, aside]);
    execFileSync("mount", ["-t", "tmpfs", "-o", DISK, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(aside, { recursive: true, force: true });
    return undefined;
  }
  execFileSync("cp", ["-a", `${aside}/.`, folder]);
  chmodSync(folder, 0o700);
  rmSync(aside, { recursive: true, force: true });
  try {
    for (;;) writeFileSync(join(folder, "filler"), Buffer.alloc(4_096), { flag: "a" });
  } catch {
    // Full, which was the aim.
  }
  return { free: () => execFileSync("umount", ["-l", folder], { stdio: "ignore" }) };
}

/** A daemon that has just started may not have it yet. */
function made(path: string): string {
  if (!existsSync(path)) writeFileSync(path, "");
  return path;
}

function contentOf(path: string): Buffer {
  return isFolder(path) || !existsSync(path) ? Buffer.from("") : readFileSync(path);
}

function replaceBy(path: string, content: string | Buffer): void {
  if (isFolder(path)) rmSync(path, { recursive: true });
  writeFileSync(path, content, { mode: 0o600 });
}

function link(path: string, to: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(to, path);
}

export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
