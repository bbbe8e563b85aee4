/**
 * State files are opened as sshd opens its own: never through a link, and only when nobody else could have put them
 * there. What a cloned repository or another user left in a state folder is neither read nor written.
 *
 * Without imports but Node's, since the command line client takes it along.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
} from "node:fs";

/** Larger than any state file that is read whole. */
const MAX_BYTES = 65_536;
/** Opening a pipe that somebody put there would wait for its other end. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OTHERS_WRITE = 0o022;
const OTHERS_ANYTHING = 0o077;

/** There is something under that name, and it is not ours to use. */
export class NotOurs extends Error {
  readonly code = "ENOTOURS";
  /** "it is a link" */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`Cannot use "${path}": ${reason}`);
    this.reason = reason;
  }
}

export interface ReadOwnOptions {
  /** It holds a secret, or is trusted as only our own word is: nobody else may even read it. */
  isSecret?: boolean;
  maxBytes?: number;
}

/** The text of a regular file of this user; undefined when there is none. Throws `NotOurs`, and other system errors. */
export function readOwnFile(path: string, options: ReadOwnOptions = {}): string | undefined {
  const { isSecret = false, maxBytes = MAX_BYTES } = options;
  const file = open(path, constants.O_RDONLY, 0);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    const problem = fileProblem(stats, isSecret ? OTHERS_ANYTHING : OTHERS_WRITE);
    if (problem) throw new NotOurs(path, problem);
    if (stats.size > maxBytes) throw new NotOurs(path, `it is over ${maxBytes} bytes`);
    const bytes = Buffer.allocUnsafe(stats.size);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** The same for what somebody wants kept: whatever else is there stays as it is. Throws `NotOurs`, and other system errors. */
export function openKeptToAppend(path: string): number {
  const file = open(path, flagsToAppend(), 0o600);
  if (file === undefined) throw new NotOurs(path, "it is not there");
  const stats = fstatSync(file);
  const problem =
    fileProblem(stats, OTHERS_WRITE) ?? (stats.nlink > 1 ? "it has another name beside this one" : undefined);
  if (problem === undefined) return file;
  closeSync(file);
  throw new NotOurs(path, problem);
}

/**
 * Opens a file of ours to be read and added to, made with mode 0600 if need be. A link or another user's file under that
 * name gives way: it is removed, and what a link leads to is left alone. What others could write to is so no more, since
 * `readOwnFile` would refuse it. Throws `NotOurs` for what is no file.
 */
export function openToAppend(path: string): number {
  for (let tries = 1; ; tries++) {
    try {
      const file = open(path, flagsToAppend(), 0o600);
      if (file !== undefined && isAppendable(file)) return file;
      if (file !== undefined) closeSync(file);
    } catch (error) {
      if (!(error instanceof NotOurs) && !["EACCES", "EPERM"].includes(codeOf(error))) throw error;
    }
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (tries > 1 || (stats && !stats.isSymbolicLink() && !stats.isFile())) throw new NotOurs(path, "it is not a file");
    rmSync(path, { force: true });
  }
}

/** From now on, if need be: the mode of what root has put there is not ours to change. */
function isAppendable(file: number): boolean {
  const stats = fstatSync(file);
  if (!stats.isFile() || !isOurs(stats) || stats.nlink !== 1) return false;
  if (ownerProblem(stats, OTHERS_WRITE) === undefined) return true;
  if (stats.uid !== process.getuid?.()) return false;
  fchmodSync(file, 0o600);
  return true;
}

/** No constant: the client, which never appends, would take it along. */
function flagsToAppend(): number {
  return constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
}

/** Removes a file, or a link itself, if it is there. A folder in its place is somebody else's. */
export function removeOwnFile(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { force: true });
}

/** Why a folder cannot hold state; undefined when it can. Throws ENOENT when it is not there. */
export function folderProblem(dir: string): string | undefined {
  const stats = lstatSync(dir);
  if (stats.isSymbolicLink()) return "it is a link";
  if (!stats.isDirectory()) return "there is a file of that name";
  return ownerProblem(stats, OTHERS_WRITE);
}

/** Undefined when there is no such file. */
function open(path: string, flags: number, mode: number): number | undefined {
  try {
    return openSync(path, flags | SAFELY, mode);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" && !(flags & constants.O_CREAT)) return undefined;
    // EMLINK is what FreeBSD says; ENXIO comes of a socket.
    if (["ELOOP", "EMLINK"].includes(code)) throw new NotOurs(path, "it is a link");
    if (["EISDIR", "ENXIO"].includes(code)) throw new NotOurs(path, "it is not a file");
    throw error;
  }
}

function fileProblem(stats: Stats, forbidden: number): string | undefined {
  return stats.isFile() ? ownerProblem(stats, forbidden) : "it is not a file";
}

function ownerProblem(stats: Stats, forbidden: number): string | undefined {
  if (!isOurs(stats)) return "it belongs to another user";
  if (process.platform === "win32" || (stats.mode & forbidden) === 0) return undefined;
  return stats.mode & OTHERS_WRITE ? "others may write to it" : "others may read it";
}

/** What root put there is as good as ours: root could do anything. */
function isOurs({ uid }: Stats): boolean {
  return uid === process.getuid?.() || uid === 0 || process.getuid === undefined;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
