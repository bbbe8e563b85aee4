/** The files this daemon wrote, which it may therefore replace. */
import { type BigIntStats, lstatSync } from "node:fs";
import { isWithin, realLocation } from "./file_location.ts";

/** Remembers files by path and identity: one that somebody changed or replaced since is no longer ours. */
export class MadeFiles {
  readonly #fingerprints = new Map<string, string>();
  readonly #ownFolders: readonly string[];

  /** Whatever lies in `ownFolders` (such as `.browse/artifacts`) counts as made by us. */
  constructor(options: { ownFolders?: readonly string[] } = {}) {
    this.#ownFolders = options.ownFolders ?? [];
  }

  /** Takes note of a file that was just written. `path` is resolved. */
  add(path: string): void {
    const stats = lstatSync(path, { bigint: true });
    this.#fingerprints.delete(path);
    this.#fingerprints.set(path, fingerprintOf(stats));
    if (this.#fingerprints.size > MAX_FILES) {
      for (const oldest of this.#fingerprints.keys()) {
        this.#fingerprints.delete(oldest);
        break;
      }
    }
  }

  /** Is the file at this resolved path one that we made, and nobody touched since? */
  has(path: string): boolean {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile()) return false;
    for (const folder of this.#ownFolders) {
      // What it leads to, should a link have been put in its place, is somebody else's.
      if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
      const location = realLocation(folder);
      if ("path" in location && isWithin(location.path, path)) return true;
    }
    return this.#fingerprints.get(path) === fingerprintOf(stats);
  }
}

/** Bounds the memory of a daemon that runs for weeks; older files are then overwritten only with `--force`. */
const MAX_FILES = 10_000;

function fingerprintOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
