/**
 * `browser.json`: which processes belong to which daemon. The second net under the watchdog: should both have been
 * killed, the next daemon finds the orphans here.
 */
import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { isWithin, realLocation, tempRoots } from "./file_location.ts";
import { type JsonFile, readJsonFile, writePrivateFile } from "./private_file.ts";
import { ProcessIdentitySchema } from "./process_identity.ts";

const BrowserRecordSchema = v.object({
  owner: ProcessIdentitySchema,
  browsers: v.array(
    v.object({
      identity: ProcessIdentitySchema,
      /** Temporary folders that go with it. */
      folders: v.array(v.string()),
    }),
  ),
});
export type BrowserRecord = v.InferOutput<typeof BrowserRecordSchema>;

export async function writeBrowserRecord(stateDir: string, record: BrowserRecord): Promise<void> {
  await writePrivateFile(pathIn(stateDir), JSON.stringify(record));
}

export function readBrowserRecord(stateDir: string): JsonFile<BrowserRecord> | undefined {
  return readJsonFile(pathIn(stateDir), BrowserRecordSchema);
}

export function removeBrowserRecord(stateDir: string): void {
  rmSync(pathIn(stateDir), { force: true });
}

/** Is it, links resolved, strictly inside a temporary folder? Nothing else is ever removed, whatever a record says. */
export function isTemporaryFolder(folder: string): boolean {
  const location = realLocation(folder);
  if ("refused" in location) return false;
  return tempRoots().some((root) => {
    const temporary = realLocation(root);
    return "path" in temporary && temporary.path !== location.path && isWithin(temporary.path, location.path);
  });
}

/** Removes those of the folders that are temporary. Processes that are just ending may still write into them. */
export async function removeTemporaryFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.filter(isTemporaryFolder)) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function pathIn(stateDir: string): string {
  return join(stateDir, "browser.json");
}
