/** The files that the daemons of a project wrote, which they may therefore replace. */
import { type BigIntStats, lstatSync } from "node:fs";
import { isWithin, realLocation } from "./file_location.ts";
import { type MadeFile, MadeRecord } from "./made_record.ts";

/** Those that count as one caller's own. Paths are resolved. */
export interface Made {
  /** Takes note of a file that was just written. */
  add(path: string): void;
  /** Is the file at this path one of them, and did nobody touch it since? */
  has(path: string): boolean;
}

interface MadeFilesOptions {
  /** Whatever lies in these (such as `.browse/artifacts`) counts as made by us. */
  ownFolders?: readonly string[];
  /** Where the list is kept for the daemons that come; it is lost with this one when absent. */
  record?: string;
  /** Told when it cannot be kept. */
  onTrouble?: (message: string, cause: unknown) => void;
}

/** Remembers files by path and identity: one that somebody changed or replaced since is no longer ours. */
export class MadeFiles implements Made {
  readonly #known = new Map<string, MadeFile>();
  readonly #ownFolders: readonly string[];
  readonly #record: MadeRecord | undefined;

  constructor({ ownFolders = [], record, onTrouble = () => {} }: MadeFilesOptions = {}) {
    this.#ownFolders = ownFolders;
    this.#record = record === undefined ? undefined : new MadeRecord(record, { onTrouble, maxFiles: MAX_FILES });
    for (const file of this.#record?.read() ?? []) this.#keep(file);
  }

  add(path: string, maker?: string): void {
    const fingerprint = fingerprintOf(lstatSync(path, { bigint: true }));
    const file = { path, fingerprint, ...(maker !== undefined && { maker }) };
    this.#keep(file);
    this.#record?.add(file, this.#known);
  }

  #keep(file: MadeFile): void {
    this.#known.delete(file.path);
    this.#known.set(file.path, file);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_FILES) break;
      this.#known.delete(oldest);
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

/** Bounds what is kept of weeks; older files are then overwritten only with `--force`. */
const MAX_FILES = 10_000;

function fingerprintOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
