/**
 * A folder in the making, `~/.browse/.tmp/<id>`, that becomes a skill by one rename: whenever a process is killed, no
 * list ever shows half of one. What the dead have left is removed by whoever makes the next.
 */
import { createHash, randomBytes } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { DISK_FULL, diskFull, ensurePrivateDir, ownFolderIn } from "../../security/files/private_file.ts";
import { identityOf, isAlive, type ProcessIdentity } from "../../security/process/process_identity.ts";
import { MAX_BYTES, MAX_FILES } from "./skill_files.ts";

/** In the user's state folder, and in a folder of skills that is on another disk. */
export const ROOM = ".tmp";
/** Of another machine or container, whose processes cannot be asked for. */
const FOREIGN_AFTER_MS = 86_400_000;
const PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;
const MAX_PARTS = 4;
const ID = /^(\d+)-([0-9a-f]{12})-([0-9a-f]{12})-[0-9a-f]{12}$/;
const REMOVAL = { recursive: true, force: true } as const;

export class Staging implements Disposable {
  /** Where its files are until it is committed. */
  readonly dir: string;
  #files = 0;
  #bytes = 0;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** `home` is the user's state folder. Throws `blocked_path`, and `too_large` on a full disk. */
  static open(home: string): Staging {
    try {
      const room = join(home, ROOM);
      ensurePrivateDir(room);
      return new Staging(stagedIn(room));
    } catch (error) {
      throw translated(error, "make a skill");
    }
  }

  /** `name` is relative, parted by slashes. Throws `invalid_params` for one that leads elsewhere, and `too_large`. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    const parts = name.split("/");
    if (parts.length > MAX_PARTS || !parts.every((part) => PART.test(part))) {
      throw new BrowseError("invalid_params", `${JSON.stringify(name)} cannot be the name of a skill's file`, {
        hint: "Use letters, digits, dots, hyphens and underscores, in folders parted by slashes",
      });
    }
    this.#bytes += Buffer.byteLength(content);
    this.#files += 1;
    if (this.#files > MAX_FILES || this.#bytes > MAX_BYTES) {
      throw new BrowseError("too_large", `A skill has at most ${MAX_FILES} files and ${MAX_BYTES} bytes`, {
        hint: "Use a smaller fixture",
      });
    }
    try {
      const path = join(this.dir, ...parts);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(path, "wx", 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw translated(error, `write ${JSON.stringify(name)}`);
    }
  }

  /**
   * Makes it the folder `to`, at once and only if nothing has that name. `to` is in a folder of skills, which is made.
   * Throws `blocked_path`, and `too_large` on a full disk.
   */
  commit(to: string): void {
    const tier = dirname(to);
    try {
      assertFolder(tier);
      assertFree(to);
      try {
        renameSync(this.dir, to);
      } catch (error) {
        if (errorCode(error) !== "EXDEV") throw error;
        const copy = stagedIn(ownFolderIn(tier, ROOM));
        try {
          cpSync(this.dir, copy, { recursive: true, errorOnExist: true });
          renameSync(copy, to);
        } finally {
          // Where it could not be made whole.
          rmSync(copy, REMOVAL);
        }
        this.discard();
      }
    } catch (error) {
      throw translated(error, `make "${to}"`);
    }
  }

  /** Removes what was not committed. */
  discard(): void {
    rmSync(this.dir, REMOVAL);
  }

  [Symbol.dispose](): void {
    this.discard();
  }
}

/** A new folder there, once those of the dead are gone. */
function stagedIn(room: string): string {
  const self = identityOf(process.pid);
  if (self === undefined) throw new BrowseError("internal", "Cannot find out when this process started");
  for (const name of readdirSync(room)) if (isLeft(room, name)) rmSync(join(room, name), REMOVAL);
  const dir = join(room, `${self.pid}-${short(self.startTime)}-${short(place())}-${randomBytes(6).toString("hex")}`);
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

/** Was it made by a process that has ended? */
function isLeft(room: string, name: string): boolean {
  const [, pid, startTime, where] = ID.exec(name) ?? [];
  if (pid === undefined) return false;
  if (where !== short(place())) {
    const { mtimeMs = Date.now() } = lstatSync(join(room, name), { throwIfNoEntry: false }) ?? {};
    return Date.now() - mtimeMs > FOREIGN_AFTER_MS;
  }
  const identity: ProcessIdentity | undefined = identityOf(Number(pid));
  return identity === undefined || short(identity.startTime) !== startTime || !isAlive(identity);
}

/** Where pids mean the same: containers may share the folder. */
function place(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function short(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** A folder of skills: a link, as a cloned repository may have it, leads elsewhere. */
function assertFolder(tier: string): void {
  mkdirSync(dirname(tier), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(tier, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (!lstatSync(tier).isDirectory()) throw blocked(tier, "it is a link, or no folder", "Remove it, and try again");
  }
}

/** A rename takes the place of an empty folder, too: the caller is not to be told that there was nothing. */
function assertFree(to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false })) throw taken(to);
}

function taken(to: string): BrowseError {
  return blocked(to, "there is one already", `Choose another name, or run \`browse skill rm ${basename(to)}\` first`);
}

function blocked(path: string, reason: string, hint: string, cause?: unknown): BrowseError {
  return new BrowseError("blocked_path", `Cannot use "${path}": ${reason}`, { hint, cause });
}

function translated(error: unknown, what: string): unknown {
  if (error instanceof BrowseError) return error;
  const code = errorCode(error);
  if (DISK_FULL.has(code)) return diskFull(`Cannot ${what}`, error);
  const words = code === "unknown" ? undefined : (REASONS[code] ?? `the system refuses (${code})`);
  if (words === undefined) return error;
  return new BrowseError("blocked_path", `Cannot ${what}: ${words}`, {
    hint: "Choose another name, or another folder with BROWSE_STATE_DIR or BROWSE_HOME",
    cause: error,
  });
}

const REASONS: Record<string, string> = {
  EEXIST: "there is one already",
  ENOTEMPTY: "there is one already",
  ENOTDIR: "there is a file of that name",
  EACCES: "the system does not allow writing there",
  EPERM: "the system does not allow writing there",
  EROFS: "the disk is read-only",
};
