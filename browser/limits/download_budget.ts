/** How much a session's pages may put on the disk: nobody has asked for what they download. */
import { statSync } from "node:fs";
import { BrowseError } from "../../errors.ts";
import { Allowance } from "./allowance.ts";

/** Files at one go, and in each minute after that. */
const FILES = { most: 20, perMinute: 20 };
/** Of all files that came from pages and are still there, those on their way included. */
const MAX_TOTAL_BYTES = 1_000_000_000;

export class DownloadBudget {
  readonly #maxTotalBytes: number;
  readonly #files = new Allowance(FILES);
  readonly #kept = new Map<string, number>();
  readonly #coming = new Map<object, number>();

  constructor({ maxTotalBytes = MAX_TOTAL_BYTES }: { maxTotalBytes?: number } = {}) {
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** One more file is to come. Throws `too_large`. */
  begin(): void {
    if (this.#files.take()) return;
    throw new BrowseError("too_large", `Pages of this session download more than ${FILES.most} files a minute`, {
      hint: "Fetch what you need with `browse download`",
    });
  }

  /** So much of this one has come. Why it is too much, if it is. */
  note(download: object, bytes: number): BrowseError | undefined {
    this.#coming.set(download, bytes);
    if (this.#total > this.#maxTotalBytes) this.#forgetRemoved();
    if (this.#total <= this.#maxTotalBytes) return undefined;
    const limit = `${Math.round(this.#maxTotalBytes / 1_000_000)} MB`;
    return new BrowseError("too_large", `Pages of this session have downloaded more than ${limit}`, {
      hint: "Remove some of it from .browse/artifacts",
    });
  }

  /** It is here, or will not come. */
  end(download: object, path: string | undefined): void {
    const bytes = this.#coming.get(download) ?? 0;
    this.#coming.delete(download);
    if (path !== undefined) this.#kept.set(path, bytes);
  }

  get #total(): number {
    let total = 0;
    for (const bytes of this.#kept.values()) total += bytes;
    for (const bytes of this.#coming.values()) total += bytes;
    return total;
  }

  #forgetRemoved(): void {
    for (const path of this.#kept.keys()) {
      if (!statSync(path, { throwIfNoEntry: false })) this.#kept.delete(path);
    }
  }
}
