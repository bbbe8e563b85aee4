/** A secret of this device, so that what we keep a hash of cannot be found out by hashing guesses. */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "./error_code.ts";
import { linkExclusively } from "./exclusive_link.ts";
import { NotOurs } from "./own_file.ts";
import { temporaryName } from "./private_file.ts";

const SALT_BYTES = 32;

/** The salt in the user's own state; undefined, and told, when it cannot be had. */
export function deviceSaltIn(home: string, onTrouble: (message: string, cause: unknown) => void): Buffer | undefined {
  try {
    return deviceSalt(join(home, "security", "device-salt"));
  } catch (error) {
    onTrouble("There is no secret of this device", error);
    return undefined;
  }
}

/** The salt in that file, mode 0600, made when it is absent: daemons that make it at once agree on one. */
export function deviceSalt(path: string): Buffer {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new NotOurs(path, "it is not a file");
  const salt = readSalt(path) ?? makeSalt(path);
  if (salt.length !== SALT_BYTES) throw new Error(`"${path}" does not hold a salt of ${SALT_BYTES} bytes`);
  if (process.platform !== "win32" && (lstatSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  return salt;
}

function readSalt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function makeSalt(path: string): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), temporaryName("device-salt"));
  try {
    writeFileSync(temporary, randomBytes(SALT_BYTES), { flag: "wx", mode: 0o600 });
    linkExclusively(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(path);
}
