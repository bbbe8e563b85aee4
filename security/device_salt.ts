/** A secret of this device, so that what we keep a hash of cannot be found out by hashing guesses. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "./error_code.ts";
import { linkExclusively } from "./exclusive_link.ts";
import { temporaryName } from "./private_file.ts";

const SALT_BYTES = 32;

/** The salt in that file, mode 0600, made when it is absent: daemons that make it at once agree on one. */
export function deviceSalt(path: string): Buffer {
  const salt = readSalt(path) ?? makeSalt(path);
  if (salt.length !== SALT_BYTES) throw new Error(`"${path}" does not hold a salt of ${SALT_BYTES} bytes`);
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
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
