/** Keeps what a page downloads, and tells of it. */
import { chmod, open, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Download } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { diskFull } from "../../security/files/private_file.ts";
import { cutUrl, redactUrl } from "../../security/secrets/redact.ts";
import { makeArtifacts } from "../../security/tokens/artifacts.ts";
import { discard, limitSize } from "../driver/download.ts";
import { lackOfRoom } from "../driver/download_room.ts";
import { isForWantOfRoom } from "../driver/want_of_room.ts";
import type { DownloadRecord } from "../effect_report.ts";
import type { DownloadBudget } from "../limits/download_budget.ts";
import type { LoadGuard } from "../load_guard/load_guard.ts";
import type { Tab } from "../tabs/tab.ts";
import { safeFileName } from "./file_name.ts";
import { DEFAULT_MAX_BYTES, tooLarge } from "./received_file.ts";

/** For nobody but the user: it may be anything. */
const PRIVATE = 0o600;

export interface KeepOptions {
  /** Where it goes, for an agent to a folder of its own in it. */
  artifactsDir: string;
  /** A file of more bytes is cancelled. Default 200 MB. */
  maxDownloadBytes?: number;
  /** Asked before the file is kept. */
  guard?: LoadGuard;
  /** What the session's pages may download in all. */
  budget: DownloadBudget;
  /** Aborted when no more of it will come. */
  signal: AbortSignal;
}

/** Under a name of its own: the page's suggestion decides only how it ends. What goes wrong is told. Never rejects. */
export async function keepDownload(tab: Tab, download: Download, options: KeepOptions): Promise<void> {
  const { artifactsDir, guard, budget } = options;
  const url = download.url();
  const name = safeFileName(download.suggestedFilename());
  const refusal = guard?.refusalOfFile(tab, url);
  const record: DownloadRecord = { name, url: cutUrl(url), ...(refusal && { failure: refusal.message }) };
  tab.downloads.noteBegun(record, url);
  tab.events.emit("download", record);
  const told = { name, url: redactUrl(url) };
  tab.report("download", { event: "started", ...told });
  try {
    if (refusal) throw refusal;
    budget.begin();
    await guard?.check(tab, url);
    const folder = await makeArtifacts(artifactsDir, tab.holder);
    const path = await save(download, join(folder, `${Date.now().toString(36)}-${name}`), options);
    record.path = path;
    tab.report("download", { event: "finished", ...told, path });
  } catch (error) {
    record.failure = await failureOf(download, error);
    tab.report("download", { event: "failed", ...told, failure: record.failure });
  } finally {
    budget.end(download, record.path);
    tab.downloads.noteEnded(record);
    tab.events.emit("downloadEnded", record);
    await discard(download);
  }
}

/** Where it is now. Throws `too_large`, and what the driver throws. */
async function save(download: Download, wanted: string, options: KeepOptions): Promise<string> {
  const { maxDownloadBytes: maxBytes = DEFAULT_MAX_BYTES, budget, signal } = options;
  using size = limitSize(download, (soFar) => (soFar > maxBytes ? tooLarge(maxBytes) : budget.note(download, soFar)));
  const complete = download.path();
  // One that is cancelled for its size fails when nobody waits for it any more.
  complete.catch(() => undefined);
  const { size: bytes } = await stat(await abortable(Promise.race([complete, size.exceeded]), signal));
  const refusal = bytes > maxBytes ? tooLarge(maxBytes, bytes) : budget.note(download, bytes);
  if (refusal) throw refusal;
  const path = await takeName(wanted);
  try {
    await download.saveAs(path);
    // The driver's copy has the permissions of what it copied.
    await chmod(path, PRIVATE);
    return path;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Two that come in the same millisecond must not get the same one. */
async function takeName(path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = count === 1 ? path : join(dirname(path), `${count}-${basename(path)}`);
    try {
      await (await open(name, "wx", PRIVATE)).close();
      return name;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

async function failureOf(download: Download, error: unknown): Promise<string> {
  if (error instanceof BrowseError) return error.message;
  // It had come, and is copied.
  if (isForWantOfRoom(error)) return diskFull("Cannot keep the file", error).message;
  const noRoom = lackOfRoom(download, error);
  if (noRoom) return noRoom.message;
  const failure = await download.failure().catch(() => null);
  // So the browser calls it whoever ends it: what we cancel has a reason of its own.
  if (failure === "canceled")
    return "The server answered with an error, or it was broken off before all of it had come";
  return failure ?? (error instanceof Error ? error.message : "failed");
}
