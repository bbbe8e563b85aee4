/** Keeps what a page downloads, and tells of it. */
import { join } from "node:path";
import type { Download } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import { redactUrl } from "../security/redact.ts";
import type { DownloadRecord } from "./effect_report.ts";
import { safeFileName } from "./file_name.ts";
import type { LoadGuard } from "./load_guard.ts";
import type { Tab } from "./tab.ts";

export interface KeepOptions {
  /** Where it goes. */
  artifactsDir: string;
  /** Asked before the file is kept. */
  guard?: LoadGuard;
}

/** Under a name of its own: the page's suggestion decides only how it ends. What goes wrong is told. Never rejects. */
export async function keepDownload(tab: Tab, download: Download, { artifactsDir, guard }: KeepOptions): Promise<void> {
  const name = safeFileName(download.suggestedFilename());
  const path = join(artifactsDir, `${Date.now().toString(36)}-${name}`);
  const record: DownloadRecord = { name, url: download.url() };
  tab.events.emit("download", record);
  const told = { name, url: redactUrl(download.url()) };
  tab.report("download", { event: "started", ...told });
  try {
    await guard?.check(tab, download.url());
    await download.saveAs(path);
    record.path = path;
    tab.report("download", { event: "finished", ...told, path });
  } catch (error) {
    // Of one that is refused nothing is kept; of one that has failed there is nothing.
    await download.cancel().catch(() => undefined);
    const failure = error instanceof BrowseError ? error.message : await download.failure().catch(() => null);
    record.failure = failure ?? (error instanceof Error ? error.message : "failed");
    tab.report("download", { event: "failed", ...told, failure: record.failure });
  }
}
