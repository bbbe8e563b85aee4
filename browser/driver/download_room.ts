/** Whether the disk had room for a download: of one that has failed the browser says no more than that it did. */
import type { EventEmitter } from "node:events";
import { basename, dirname } from "node:path";
import type { Browser, Download } from "playwright";
import { BrowseError } from "../../errors.ts";
import { diskFull, FREE_STATE_DISK, FULL_BELOW, freeBytes } from "../../security/files/private_file.ts";
import { bytesAt } from "./download.ts";
import { fileOf, insideOf } from "./inside.ts";

/** What the driver hears of the browser's downloads. */
interface InnerBrowser {
  _session?: Pick<EventEmitter, "on">;
}

interface Progress {
  guid: string;
  /** 0 when the server has not said. */
  totalBytes: number;
  /** Written by then; 0 again when it has failed. */
  receivedBytes: number;
  state: "inProgress" | "completed" | "canceled";
}

type Sizes = Pick<Progress, "totalBytes" | "receivedBytes">;

/** Those that nobody asks for any more go when there are so many others. */
const MAX_FOLLOWED = 100;
const WHAT = "Cannot download";

/** By the name of the file, which is the browser's name for the download. They go with the browser. */
const FOLLOWED = new WeakMap<Browser, Map<string, Sizes>>();

/** From the browser's start on: a short download has failed before anybody is told that it began. */
export function followDownloads(browser: Browser): void {
  const all = new Map<string, Sizes>();
  FOLLOWED.set(browser, all);
  insideOf<InnerBrowser>(browser)?._session?.on("Browser.downloadProgress", (progress: Progress) => {
    const { guid, totalBytes, receivedBytes, state } = progress;
    const before = all.get(guid)?.receivedBytes ?? 0;
    all.delete(guid);
    if (state === "completed") return;
    all.set(guid, { totalBytes, receivedBytes: Math.max(before, receivedBytes) });
    const [oldest] = all.keys();
    if (all.size > MAX_FOLLOWED && oldest !== undefined) all.delete(oldest);
  });
}

/** The error for a download that failed for want of room; undefined where nothing says that it did. */
export function lackOfRoom(download: Download, cause: unknown): BrowseError | undefined {
  const path = fileOf(download);
  if (path === undefined) return undefined;
  // In this order: one that is removed in between is not to be taken for a lack of room.
  const room = bytesAt(path) + freeBytes(dirname(path));
  const browser = download.page().context().browser();
  const sizes = browser ? FOLLOWED.get(browser)?.get(basename(path)) : undefined;
  const { totalBytes, receivedBytes } = sizes ?? { totalBytes: 0, receivedBytes: 0 };
  if (totalBytes > room) return tooLargeFor(room, totalBytes, cause);
  return room - receivedBytes < FULL_BELOW ? diskFull(WHAT, cause, FREE_STATE_DISK) : undefined;
}

function tooLargeFor(room: number, bytes: number, cause: unknown): BrowseError {
  const message = `${WHAT}: the file has ${bytes} bytes, and the disk that .browse is on has room for ${room}`;
  return new BrowseError("too_large", message, { hint: FREE_STATE_DISK, details: { isDiskFull: true }, cause });
}
