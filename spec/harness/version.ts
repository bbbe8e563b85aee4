/** The version that is built and tested, with the hash of the build. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const client = readFileSync(join(import.meta.dirname, "../../dist/browse.mjs"), "utf8");

export const version = /"(\d+\.\d+\.\d+\+[0-9a-f]{8})"/.exec(client)?.[1] ?? "";
