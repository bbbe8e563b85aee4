/** The files this daemon wrote, which it may therefore replace. */
import { type BigIntStats, lstatSync } from "node:fs";
import { isWithin, realLocation } from "./file_location.ts";

/** Those that count as one caller's own. Paths are resolved. */
export interface Made {
  /** Takes note of a file that was just written. */
  add(path: string): void;
  /** Is the file at this path one of them, and did nobody touch it since? */
  has(path: string): boolean;
}

interface Known {
  fingerprint: string;
  /** Whose call made it; the user's when absent. */
  maker: string | undefined;
}

/** Remembers files by path and identity: one that somebody changed or replaced since is no longer ours. */
export class MadeFiles implements Made {
  readonly #known = new Map<string, Known>();
  readonly #ownFolders: readonly string[];

  /** Whatever lies in `ownFolders` (such as `.browse/artifacts`) counts as made by us. */
  constructor(options: { ownFolders?: readonly string[] } = {}) {
    this.#ownFolders = options.ownFolders ?? [];
  }

  add(path: string, maker?: string): void {
    const stats = lstatSync(path, { bigint: true });
    this.#known.delete(path);
    this.#known.set(path, { fingerprint: fingerprintOf(stats), maker });
    if (this.#known.size > MAX_FILES) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
  }

  /** Whoever it was made for. */
  has(path: string): boolean {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile()) return false;
    for (const folder of this.#ownFolders) {
      // What it leads to, should a link have been put in its place, is somebody else's.
      if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
      const location = realLocation(folder);
      if ("path" in location && isWithin(location.path, path)) return true;
    }
    return this.#known.get(path)?.fingerprint === fingerprintOf(stats);
  }

  /** Those alone that calls of this maker have made. */
  by(maker: string): Made {
    return {
      add: (path) => this.add(path, maker),
      has: (path) => this.#known.get(path)?.maker === maker && this.has(path),
    };
  }
}

/** Bounds the memory of a daemon that runs for weeks; older files are then overwritten only with `--force`. */
const MAX_FILES = 10_000;

function fingerprintOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
