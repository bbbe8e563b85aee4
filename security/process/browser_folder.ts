/**
 * The folder that a browser works in: profile, downloads, traces. Under the state folder, since cookies are in it, and
 * removed whichever way the browser or its daemon ends.
 */
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realLocation, tempRoots } from "../files/file_location.ts";
import { ownFolderIn } from "../files/private_file.ts";

const RUN = "run";
const NAME = /^[0-9a-f]{8}$/;
/** Chromium's own temporary folder, with the socket by which a second one would find the first. */
const SOCKET_FOLDER = /^(\.?org\.chromium\.Chromium|com\.google\.Chrome|com\.microsoft\.Edge)\.\w{6}$/;
/** Processes that are just ending may still write into them. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

export interface BrowserFolder {
  path: string;
  profile: string;
  /** For what the driver writes: downloads and traces until they are taken. */
  driver: string;
}

/** Makes one, which only this user can look into. Throws `blocked_path`, and system errors. */
export function makeBrowserFolder(stateDir: string): BrowserFolder {
  const path = join(ownFolderIn(stateDir, RUN), randomBytes(4).toString("hex"));
  const [profile, driver] = [join(path, "profile"), join(path, "driver")];
  for (const folder of [path, profile, driver]) mkdirSync(folder, { mode: 0o700 });
  return { path, profile, driver };
}

/** What has to go with the browser: the folder, and Chromium's own one once it has that. */
export function foldersOf(path: string): string[] {
  const profile = join(path, "profile");
  try {
    const folder = dirname(readlinkSync(join(profile, "SingletonSocket")));
    // The same random number in both: without it the link could lead to the folder of another browser.
    const [own, found] = [profile, folder].map((each) => readlinkSync(join(each, "SingletonCookie")));
    return own === found ? [path, folder] : [path];
  } catch {
    return [path];
  }
}

/** Is it one of those folders? Nothing else is ever removed, whatever a record says. */
export function isBrowserFolder(stateDir: string, folder: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const [parent, name] = [realPath(dirname(folder)), basename(folder)];
  if (NAME.test(name)) return parent === realPath(join(stateDir, RUN)) && isFolder(join(stateDir, RUN));
  return SOCKET_FOLDER.test(name) && tempRoots().some((root) => realPath(root) === parent);
}

export function removeBrowserFolders(stateDir: string, folders: readonly string[]): void {
  for (const folder of folders) if (isBrowserFolder(stateDir, folder)) rmSync(folder, REMOVAL);
}

/** Those that browsers left behind, all but `current`. */
export function leftFolders(stateDir: string, current?: string): string[] {
  const run = join(stateDir, RUN);
  if (!isFolder(run)) return [];
  const left = readdirSync(run).filter((name) => NAME.test(name) && name !== basename(current ?? ""));
  return left.map((name) => join(run, name));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function realPath(path: string): string | undefined {
  const location = realLocation(path);
  return "path" in location ? location.path : undefined;
}
