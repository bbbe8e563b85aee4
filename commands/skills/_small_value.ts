/** What a skill gave, where it is no more than an answer holds. */
import { join } from "node:path";
import { BrowseError } from "../../errors.ts";
import { ensurePrivateDir, writePrivateFile } from "../../security/files/private_file.ts";

/** Of the value as JSON: what comes with it in an answer, which may have a megabyte, is less than the rest. */
const MAX_BYTES = 990_000;

/**
 * The value, if it is small enough. Throws `too_large` with the path of the file that it is kept in: what the skill did is
 * not to be done again for it.
 */
export async function smallValue(value: unknown, { name, dir }: { name: string; dir: string }): Promise<unknown> {
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return value;
  ensurePrivateDir(dir);
  const path = join(dir, `${name}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.json`);
  await writePrivateFile(path, json);
  throw new BrowseError(
    "too_large",
    `The skill "${name}" ran, and gave ${bytes} bytes, over the ${MAX_BYTES} allowed`,
    {
      hint: `"${path}" has all of it; let the skill give less, or take fewer at a time`,
      details: { bytes, maxBytes: MAX_BYTES, path },
    },
  );
}
