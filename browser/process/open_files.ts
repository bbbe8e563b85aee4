/** How many files the system lets a process open: Chromium comes up with too few, and then cannot go on. */
import { readFileSync } from "node:fs";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";

/** Chromium 156 with a dozen tabs does with these; with 100 it starts its network process again and again, as each dies. */
const MIN = 128;

export const ALLOW_MORE_FILES = inNewDaemon("Allow more with `ulimit -n 4096`");

/** Throws `no_browser` where Chromium, which has the limit of this process, would lack some. */
export function assertEnoughFiles(): void {
  const limit = limitOfFiles();
  if (limit >= MIN) return;
  const message = `Chromium cannot be started: a process may have ${limit} open files here, and it needs ${MIN}`;
  throw new BrowseError("no_browser", message, { hint: ALLOW_MORE_FILES });
}

/** No limit where it cannot be told. Throws `no_browser` when this process has so many open that it cannot look. */
function limitOfFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch (error) {
    if (errorCode(error) !== "EMFILE") return Number.POSITIVE_INFINITY;
    throw new BrowseError("no_browser", "Chromium cannot be started: the daemon has too many open files", {
      hint: ALLOW_MORE_FILES,
      cause: error,
    });
  }
}
