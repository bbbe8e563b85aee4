/** Whether the files of a model are those that were meant. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { BrowseError } from "../../../errors.ts";
import { assertPlainFile, MAX_TEXT_BYTES, MAX_WEIGHTS_BYTES } from "./model_file.ts";

/** SHA-256 in hexadecimal digits, by the file's path within its folder. */
export type Checksums = Readonly<Record<string, string>>;

const LIST = "SHA256SUMS";
/** As `sha256sum` writes them. */
const LINE = /^([0-9a-f]{64}) [ *](.+)$/i;

/** What `SHA256SUMS` in that folder says; nothing when it has none. Throws `unsupported` for one that cannot be read. */
export async function listedChecksums(folder: string): Promise<Checksums | undefined> {
  const path = join(folder, LIST);
  if (!existsSync(path)) return undefined;
  await assertPlainFile(path, MAX_TEXT_BYTES);
  const lines = (await readFile(path, "utf8")).split(/\r?\n/).filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, sum, name] = LINE.exec(line) ?? [];
      if (sum === undefined || name === undefined)
        throw new BrowseError("unsupported", `"${path}" has a line that is no checksum`);
      return [name.replace(/^\.\//, ""), sum.toLowerCase()];
    }),
  );
}

/** Throws `unsupported` unless each of the files has the checksum that is listed for it. */
export async function checkFiles(folder: string, files: readonly string[], checksums: Checksums): Promise<void> {
  for (const name of files) {
    const expected = checksums[name];
    if (expected === undefined) throw corrupt(folder, `"${name}" has no checksum`);
    if ((await sha256Of(join(folder, name))) !== expected.toLowerCase()) {
      throw corrupt(folder, `"${name}" is not the file that its checksum is of`);
    }
  }
}

async function sha256Of(path: string): Promise<string> {
  await assertPlainFile(path, MAX_WEIGHTS_BYTES);
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function corrupt(folder: string, problem: string): BrowseError {
  return new BrowseError("unsupported", `The model in "${folder}" cannot be trusted: ${problem}`, {
    hint: "Fetch it again, or mend its checksums (SHA256SUMS, or sha256 in config.json)",
  });
}
