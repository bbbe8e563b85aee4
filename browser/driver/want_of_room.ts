/** A full disk, in the driver's words. */
import { DISK_FULL } from "../../security/files/private_file.ts";

/** The driver gives on what the system said, as text alone: `tracing.stop: ENOSPC: no space left on device, …`. */
export function isForWantOfRoom(error: unknown): boolean {
  const [, code = ""] = (error instanceof Error && /^(?:[\w.]+: )?(E[A-Z]+):/.exec(error.message)) || [];
  return DISK_FULL.has(code);
}
