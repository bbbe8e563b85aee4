/** What has to be right on this machine, each with what it is and how to mend it. */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { toBrowseError } from "../../errors.ts";
import type { ClassifierStatus } from "../../security/content/classifier/classifier.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";
import type { StateKeys } from "../../security/states/state_key.ts";
import { chromiumExecutable } from "../install/executable.ts";
import {
  classifierFinding,
  faultsFinding,
  keychainFinding,
  leftFoldersFinding,
  orphansFinding,
  portsFinding,
  watchdogFinding,
} from "./doctor_daemon.ts";
import { temporaryFolderError } from "./launch_error.ts";

export interface DoctorOptions {
  /** Mend what can be mended without losing anything. */
  fix: boolean;
  stateDir: string;
  /** `BROWSE_CHROMIUM`. */
  chromium: string | undefined;
  sandboxed: boolean;
  /** Where the daemon listens. */
  port: number;
  /** `BROWSE_PORT`; 0 for any. */
  askedPort: number;
  stateKeys: StateKeys;
  /** What nobody caught in the daemon since it started. */
  faults: { count: number; lastAt?: string };
  classifier: ClassifierStatus;
  /** Of the browser that runs. */
  browserFolder: string | undefined;
  /** Nothing sees to it any more that the browser ends with the daemon. */
  isWatchdogGivenUp: boolean;
}

export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  /** On each line that is not ok, and where something could be better. */
  fix?: string;
}

/** The oldest Node that users may run. */
const NODE_MAJOR = 24;
/** A profile, a trace and some screenshots fit in this. */
const MIN_FREE_BYTES = 200_000_000;

export async function runDoctor(options: DoctorOptions): Promise<Finding[]> {
  return [
    runtime(),
    await browser(options.chromium),
    sandbox(options.sandboxed),
    stateFolder(options.stateDir),
    temporaryFolder(),
    freeSpace(options.stateDir),
    await portsFinding(options.port, options.askedPort),
    await orphansFinding(options.stateDir, options.fix, options.browserFolder),
    leftFoldersFinding(options.stateDir, options.fix, options.browserFolder),
    watchdogFinding(options.isWatchdogGivenUp),
    await keychainFinding(options.stateKeys),
    classifierFinding(options.classifier),
    faultsFinding(options.faults),
  ];
}

function runtime(): Finding {
  const ok = Number(process.versions.node.split(".")[0]) >= NODE_MAJOR;
  const finding = { check: "runtime", ok, detail: `Node ${process.versions.node}` };
  return ok ? finding : { ...finding, fix: `Install Node ${NODE_MAJOR} or newer` };
}

async function browser(asked: string | undefined): Promise<Finding> {
  try {
    const { path, source } = await chromiumExecutable(asked);
    return { check: "browser", ok: true, detail: `${path} (from ${source})` };
  } catch (error) {
    const { message, hint } = toBrowseError(error);
    return { check: "browser", ok: false, detail: message, fix: hint };
  }
}

function sandbox(sandboxed: boolean): Finding {
  const detail = sandboxed ? "Chromium's sandbox is on" : "off: pages run with this user's rights";
  const isRoot = process.getuid?.() === 0;
  // Root cannot have one, so there is nothing to mend but not to be root.
  if (sandboxed || isRoot)
    return { check: "sandbox", ok: true, detail: sandboxed ? detail : `${detail} (root cannot have one)` };
  return { check: "sandbox", ok: false, detail, fix: inNewDaemon("Unset BROWSE_NO_SANDBOX") };
}

function stateFolder(stateDir: string): Finding {
  const check = "state folder";
  try {
    accessSync(stateDir, constants.W_OK);
  } catch {
    return {
      check,
      ok: false,
      detail: `"${stateDir}" cannot be written`,
      fix: "Make it writable, or set BROWSE_STATE_DIR",
    };
  }
  const mode = statSync(stateDir).mode & 0o777;
  if (process.platform === "win32" || mode === 0o700) return { check, ok: true, detail: stateDir };
  return { check, ok: false, detail: `"${stateDir}" can be read by others`, fix: `chmod 700 "${stateDir}"` };
}

/** Chromium keeps its profile there, and the driver what it records and traces. */
function temporaryFolder(): Finding {
  const check = "temporary folder";
  const error = temporaryFolderError();
  if (!error) return { check, ok: true, detail: tmpdir() };
  return { check, ok: false, detail: error.message, fix: error.hint };
}

function freeSpace(stateDir: string): Finding {
  const { bavail, bsize } = statfsSync(stateDir);
  const free = bavail * bsize;
  const finding = { check: "disk", ok: free >= MIN_FREE_BYTES, detail: `${Math.round(free / 1_000_000)} MB free` };
  return finding.ok ? finding : { ...finding, fix: "Free some space" };
}
