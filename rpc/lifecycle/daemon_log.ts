import { fstatSync, ftruncateSync } from "node:fs";
import { redactCut } from "../../security/secrets/redact.ts";

/** Longer than anyone reads; what came before is gone then. */
const MAX_BYTES = 10_000_000;

/** Characters of one entry. */
const MAX_ENTRY = 20_000;

const STDERR = 2;

/** The daemon's own log: its standard error, which its starter has pointed at `.browse/daemon.log`. */
export class DaemonLog {
  #sinceLook = 0;

  write(level: "debug" | "info" | "warning" | "error", message: string, cause?: unknown): void {
    const because =
      cause === undefined ? "" : `: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
    const line = `${new Date().toISOString()} ${level} ${redactCut(`${message}${because}`, MAX_ENTRY)}\n`;
    this.#bound(line.length);
    process.stderr.write(line);
  }

  /** The file is open for appending, so cutting it to nothing starts it anew. */
  #bound(bytes: number): void {
    this.#sinceLook += bytes;
    if (this.#sinceLook < MAX_BYTES / 10) return;
    this.#sinceLook = 0;
    const stats = fstatSync(STDERR);
    if (stats.isFile() && stats.size > MAX_BYTES) ftruncateSync(STDERR);
  }
}
