/**
 * `browser.json`: which processes belong to which daemon. The second net under the watchdog: should both have been
 * killed, the next daemon finds the orphans here.
 */
import { join } from "node:path";
import * as v from "valibot";
import { removeOwnFile } from "../files/own_file.ts";
import { type JsonFile, readJsonFile, writePrivateFile } from "../files/private_file.ts";
import { ProcessIdentitySchema } from "./process_schema.ts";

const BrowserRecordSchema = v.object({
  owner: ProcessIdentitySchema,
  browsers: v.array(
    v.object({
      identity: ProcessIdentitySchema,
      /** Its own folders, which go with it. */
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
  removeOwnFile(pathIn(stateDir));
}

function pathIn(stateDir: string): string {
  return join(stateDir, "browser.json");
}
