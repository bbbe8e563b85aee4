/** Keeps what a page downloads, and tells of it. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Download } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import { redactUrl } from "../security/redact.ts";
import { discard, limitSize } from "./driver_download.ts";
import type { DownloadRecord } from "./effect_report.ts";
import { safeFileName } from "./file_name.ts";
import type { LoadGuard } from "./load_guard.ts";
import { DEFAULT_MAX_BYTES, tooLarge } from "./received_file.ts";
import type { Tab } from "./tab.ts";

export interface KeepOptions {
  /** Where it goes. */
  artifactsDir: string;
  /** A file of more bytes is cancelled. Default 200 MB. */
  maxDownloadBytes?: number;
  /** Asked before the file is kept. */
  guard?: LoadGuard;
}

/** Under a name of its own: the page's suggestion decides only how it ends. What goes wrong is told. Never rejects. */
export async function keepDownload(tab: Tab, download: Download, options: KeepOptions): Promise<void> {
  const { artifactsDir, maxDownloadBytes = DEFAULT_MAX_BYTES, guard } = options;
  const url = download.url();
  const name = safeFileName(download.suggestedFilename());
  const path = join(artifactsDir, `${Date.now().toString(36)}-${name}`);
  const refusal = guard?.refusalOfFile(tab, url);
  const record: DownloadRecord = { name, url, ...(refusal && { failure: refusal.message }) };
  tab.events.emit("download", record);
  const told = { name, url: redactUrl(url) };
  tab.report("download", { event: "started", ...told });
  try {
    if (refusal) throw refusal;
    await guard?.check(tab, url);
    await save(download, path, maxDownloadBytes);
    record.path = path;
    tab.report("download", { event: "finished", ...told, path });
  } catch (error) {
    record.failure = await failureOf(download, error);
    tab.report("download", { event: "failed", ...told, failure: record.failure });
  } finally {
    await discard(download);
  }
}

/** Throws `too_large`, and what the driver throws. */
async function save(download: Download, path: string, maxBytes: number): Promise<void> {
  using size = limitSize(download, maxBytes);
  const complete = download.path();
  // One that is cancelled for its size fails when nobody waits for it any more.
  complete.catch(() => undefined);
  const { size: bytes } = await stat(await Promise.race([complete, size.exceeded]));
  if (bytes > maxBytes) throw tooLarge(maxBytes, bytes);
  await download.saveAs(path);
}

async function failureOf(download: Download, error: unknown): Promise<string> {
  if (error instanceof BrowseError) return error.message;
  const failure = await download.failure().catch(() => null);
  return failure ?? (error instanceof Error ? error.message : "failed");
}
