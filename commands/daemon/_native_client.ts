/** The native client in the place of the Node client, for whoever types `browse`. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { BrowseError } from "../../errors.ts";

const here = import.meta.dirname;
/** This module is in `dist/` itself where it was built. */
const dist = existsSync(join(here, "browse.mjs")) ? here : join(here, "../../dist");
const PROGRAM = join(dist, "native/browse");
const PACKAGE = `@browse/${process.platform}-${process.arch}`;

export interface NativeClient {
  program: string;
  /** The links that lead to it. */
  links: string[];
  /** One of them is found by typing `browse`. */
  isOnPath: boolean;
}

/**
 * Points every link on the `PATH` that leads to this installation's client at the native one; where there is none, makes one
 * in `~/.local/bin`. Nothing else of that name is touched. Throws `unsupported`.
 */
export function linkNativeClient(): NativeClient {
  const program = findProgram();
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const links = [...new Set(folders)].map((folder) => join(folder, "browse")).filter(isOurs);
  if (links.length > 0) for (const link of links) point(link, program);
  const own = join(homedir(), ".local/bin");
  if (links.length === 0) point(free(join(own, "browse")), program);
  return {
    program,
    links: links.length > 0 ? links : [join(own, "browse")],
    isOnPath: links.length > 0 || folders.includes(own),
  };
}

/** Built here, or copied from the platform's package: beside it is the Node client, which it needs. */
function findProgram(): string {
  if (existsSync(PROGRAM)) return PROGRAM;
  const packaged = packagedProgram();
  if (!packaged) {
    throw new BrowseError("unsupported", `There is no native client for ${process.platform} ${process.arch} here`, {
      hint: `Install ${PACKAGE} beside browse, or run \`npm run build:native\` in a clone with a C compiler`,
    });
  }
  const partial = `${PROGRAM}.${process.pid}`;
  mkdirSync(dirname(PROGRAM), { recursive: true });
  copyFileSync(packaged, partial);
  chmodSync(partial, 0o755);
  renameSync(partial, PROGRAM);
  return PROGRAM;
}

function packagedProgram(): string | undefined {
  try {
    return join(dirname(createRequire(join(dist, "browse.mjs")).resolve(`${PACKAGE}/package.json`)), "bin/browse");
  } catch {
    // It is an optional dependency, which not every installation has.
    return undefined;
  }
}

function isOurs(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  // One that leads nowhere may have led to a native client that is gone.
  if (!existsSync(path)) return readlinkSync(path) === PROGRAM;
  return [join(dist, "browse.mjs"), PROGRAM].some((own) => existsSync(own) && realpathSync(own) === realpathSync(path));
}

/** The path itself where nothing of another's is there. Throws `unsupported`. */
function free(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false }) || isOurs(path)) return path;
  throw new BrowseError("unsupported", `"${path}" is something else, and stays`, { hint: linkHint(PROGRAM) });
}

/** At once, since somebody may be typing. */
function point(link: string, program: string): void {
  const partial = `${link}.${process.pid}`;
  try {
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(program, partial);
    renameSync(partial, link);
  } catch (cause) {
    throw new BrowseError("unsupported", `Cannot change "${link}"`, { hint: linkHint(program), cause });
  }
}

function linkHint(program: string): string {
  return `Link it yourself, from a folder of your PATH: \`ln -sf ${program} /usr/local/bin/browse\``;
}
