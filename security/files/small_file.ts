/** A file that is looked into before somebody else reads it. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Undefined when it is larger, no plain file, or cannot be read: whoever reads it then will say why. */
export function smallFile(path: string, maxBytes: number): Buffer | undefined {
  let file: number;
  try {
    // A pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
