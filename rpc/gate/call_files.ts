/** The files of one call: each where the path policy allows, and none of them left when the call fails. */
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { BrowseError } from "../../errors.ts";
import { createFile, type FileContent } from "../../security/files/create_file.ts";
import { isWithin } from "../../security/files/file_location.ts";
import { resolveWrite, type WritePolicy } from "../../security/files/path_policy.ts";

export interface CallFilesOptions {
  policy: WritePolicy & Required<Pick<WritePolicy, "made">>;
  /** Of a real path: is it for this user's eyes alone? */
  isPrivate: (path: string) => boolean;
  /** Once it is aborted nothing more is written. */
  signal: AbortSignal;
}

export class CallFiles {
  readonly #options: CallFilesOptions;
  readonly #files: string[] = [];
  /** Outermost folders that were not there before. */
  readonly #folders: string[] = [];
  #isOver = false;

  constructor(options: CallFilesOptions) {
    this.#options = options;
  }

  /**
   * Writes a file whole or not at all; resolves to its size in bytes. Throws `blocked_path`, `too_large` on a full
   * disk, and what ended the call.
   */
  async save(path: string, content: FileContent): Promise<number> {
    const { policy, signal, isPrivate } = this.#options;
    this.#assertRunning();
    const real = resolveWrite(path, policy);
    const folder = outermostMissing(dirname(real));
    if (folder !== undefined) this.#folders.push(folder);
    try {
      const bytes = await createFile(real, this.#whileRunning(content), {
        made: policy.made,
        force: policy.force === true,
        isPrivate: isPrivate(real),
      });
      this.#files.push(real);
      this.#assertRunning();
      return bytes;
    } catch (error) {
      if (folder !== undefined) removeEmptyFolders(dirname(real), folder);
      // The call may have ended while the last of it was written.
      if (this.#isOver || signal.aborted) this.discard();
      throw error;
    }
  }

  /** The call has failed: takes back what it has written, and lets it write no more. */
  discard(): void {
    this.#isOver = true;
    const files = this.#files.splice(0);
    for (const path of files) rmSync(path, { force: true });
    for (const folder of this.#folders.splice(0)) {
      for (const path of files) if (isWithin(folder, path)) removeEmptyFolders(dirname(path), folder);
    }
  }

  #whileRunning(content: FileContent): FileContent {
    return typeof content === "string" || content instanceof Uint8Array ? content : this.#chunks(content);
  }

  async *#chunks(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of content) {
      this.#assertRunning();
      yield chunk;
    }
  }

  #assertRunning(): void {
    this.#options.signal.throwIfAborted();
    if (this.#isOver) throw new BrowseError("cancelled", "The call has ended");
  }
}

function outermostMissing(folder: string): string | undefined {
  let missing: string | undefined;
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing = at;
  return missing;
}

/** From the innermost to the outermost; one that holds anything stays. */
function removeEmptyFolders(innermost: string, outermost: string): void {
  try {
    for (let at = innermost; isWithin(outermost, at); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody else's file is in it, or it never came to be.
  }
}
