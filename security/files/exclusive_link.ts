/** Giving a finished file its final name, but only if nothing has that name yet. */
import { constants, copyFileSync, linkSync } from "node:fs";
import { errorCode } from "./error_code.ts";

/** What file systems without hard links answer (exFAT, some network and container mounts). */
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Links `path` to the file `temporary`, whole and at once. False when the name is taken: only EEXIST means that, every
 * other error is thrown. Where hard links are missing it is copied, still exclusively, but readers may see a part.
 */
export function linkExclusively(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
  }
  try {
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
