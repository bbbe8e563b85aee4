/** The files of a model's folder, which is the user's: plain ones of a bounded size, since a pipe or a device is read without end. */
import { stat } from "node:fs/promises";
import { BrowseError } from "../../../errors.ts";

/** Of what is read as a whole: of a vocabulary of a quarter million words some 20 MB. */
export const MAX_TEXT_BYTES = 64_000_000;
/** Of weights: those of the largest models that are published for this are 750 MB. */
export const MAX_WEIGHTS_BYTES = 2_000_000_000;

/** Throws `unsupported`, and what the system says of a file that is not there. */
export async function assertPlainFile(path: string, maxBytes: number): Promise<void> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new BrowseError("unsupported", `"${path}" is not a plain file`);
  if (stats.size <= maxBytes) return;
  throw new BrowseError("unsupported", `"${path}" has ${stats.size} bytes, over the ${maxBytes} that a model may have`);
}
