/** The driver's downloads: held to a size while they come, and got rid of. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { Download } from "playwright";
import { fileOf } from "./inside.ts";

export interface SizeLimit extends Disposable {
  /** Rejects with what `refusal` gives, as soon as it gives one. */
  readonly exceeded: Promise<never>;
}

/**
 * Looks at the file whenever the browser has written to it: what the browser itself tells of its progress comes up to half
 * a second late, and a fast line brings hundreds of megabytes in that time.
 */
export function limitSize(download: Download, refusal: (bytes: number) => Error | undefined): SizeLimit {
  const { promise: exceeded, reject } = Promise.withResolvers<never>();
  // It may fail when nobody waits for it any more.
  exceeded.catch(() => undefined);
  const path = fileOf(download);
  const watcher = path === undefined ? undefined : watchFile(path, look);
  look();
  return { exceeded, [Symbol.dispose]: () => watcher?.close() };

  function look(): void {
    if (path === undefined) return;
    const error = refusal(bytesAt(path));
    if (error) reject(error);
  }
}

/** One that runs is cancelled, and the browser's own copy removed; deleting one that failed fails. */
export async function discard(download: Download): Promise<void> {
  await download.cancel().catch(() => undefined);
  await download.delete().catch(() => undefined);
}

/** Undefined where files cannot be watched: there may be too many watchers, and the size is known at the end at the latest. */
function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  const name = basename(path);
  try {
    // The folder, since the file has another name until it is complete.
    const watcher = watch(dirname(path), (_event, changed) => {
      if (changed === null || changed.startsWith(name)) onChange();
    });
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}

/** 0 when it is not there. */
export function bytesAt(path: string): number {
  const options = { throwIfNoEntry: false } as const;
  // Chromium's name for a file that is not complete.
  return (statSync(`${path}.crdownload`, options) ?? statSync(path, options))?.size ?? 0;
}
