/** Why Chromium did not come up, from what the driver and Chromium itself say of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../../security/files/error_code.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";
import { ALLOW_MORE_FILES } from "./open_files.ts";

interface Fault {
  /** Read on from "Chromium at … did not start: …". */
  reason: string;
  hint?: string;
}

/** What the system says of a temporary folder that cannot be used. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "it is not a folder",
  EACCES: "it may not be written by this user",
  EROFS: "it is on a disk that cannot be written",
  ENOSPC: "its disk is full",
  EDQUOT: "this user's share of its disk is full",
  EMFILE: "the daemon has too many open files",
};

const KNOWN: readonly [RegExp, Fault][] = [
  [
    /Missing X server|cannot open display|ozone/i,
    { reason: "there is no display for a window", hint: "Leave out --headed" },
  ],
  [
    /error while loading shared libraries/i,
    { reason: "a library that it needs is not installed", hint: "Install the library that .browse/daemon.log names" },
  ],
  [
    /No usable sandbox|SUID sandbox|namespace sandbox/i,
    { reason: "this system does not let it set its sandbox up", hint: "Allow unprivileged user namespaces" },
  ],
  [/Too many open files|EMFILE|errno(?:=| )24\b/i, { reason: "too many open files", hint: ALLOW_MORE_FILES }],
  [
    /out of memory|Cannot allocate memory|ENOMEM|mmap failed|reserve address space/i,
    { reason: "it got no memory", hint: inNewDaemon("Free some memory, or take the limit away (`ulimit -v`)") },
  ],
  [/No space left on device|ENOSPC/i, { reason: "the disk is full", hint: "Free some space" }],
];

/** Lines that it wrote to its standard error, kept for the log. */
const KEPT_LINES = 20;
// biome's rules keep escape characters out of patterns: the driver colors some of its lines.
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");

export function launchError(error: unknown, executablePath: string): BrowseError {
  const text = (error instanceof Error ? error.message : String(error)).replace(COLOR, "");
  // Chromium does not say so: it ends.
  const folder = temporaryFolderError();
  if (folder) return folder;
  const { reason, hint } = faultIn(text, isTimeout(error));
  const what = `Chromium at "${executablePath}" did not start`;
  const said = saidIn(text);
  return new BrowseError("no_browser", reason === "" ? what : `${what}: ${reason}`, {
    cause: error,
    hint: hint ?? `Run \`browse doctor\`${said.length > 0 ? "; .browse/daemon.log has what Chromium said" : ""}`,
  });
}

/** For the log: what was heard of a browser that did not come up. */
export function launchStory({ message, cause }: BrowseError): string {
  const text = (cause instanceof Error ? cause.message : "").replace(COLOR, "");
  const said = saidIn(text).map((line) => `\n    ${line}`);
  return said.length > 0 ? `${message}. It said last:${said.join("")}` : `${message}. It said nothing`;
}

/** Why nothing can be made in the temporary folder; undefined when something can. */
export function temporaryFolderError(): BrowseError | undefined {
  try {
    rmSync(mkdtempSync(join(tmpdir(), "browse-")), { recursive: true });
    return undefined;
  } catch (error) {
    const reason = FOLDER_FAULTS[errorCode(error)] ?? errorCode(error);
    return new BrowseError("no_browser", `Cannot use the temporary folder "${tmpdir()}": ${reason}`, {
      cause: error,
      hint: inNewDaemon("Set TMPDIR to a folder that can be written and has room"),
    });
  }
}

function faultIn(text: string, isLate: boolean): Fault {
  // The first line is the driver's, when the system did not even start it; the next ones have all the flags.
  const errors = [text.split("\n")[0], ...saidIn(text)].join("\n");
  const known = KNOWN.find(([pattern]) => pattern.test(errors));
  if (known) return known[1];
  const waited = /Timeout (\d+)ms exceeded/.exec(text)?.[1];
  if (isLate) return { reason: `it did not come up within ${Number(waited ?? 0) / 1_000} s` };
  const [, exitCode = "null", signal = "null"] = /exitCode=(\w+), signal=(\w+)/.exec(text) ?? [];
  if (signal !== "null") return { reason: `it was killed by ${signal}` };
  return { reason: exitCode === "null" ? "" : `it ended at once, with exit code ${exitCode}` };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function saidIn(text: string): string[] {
  const lines = text.matchAll(/\[pid=\d+\]\[err\] (.*)/g);
  return [...new Set(Array.from(lines, ([, line = ""]) => line))].slice(-KEPT_LINES);
}
