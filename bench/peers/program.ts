/** Which program a peer is, as people run it: what a global install by npm puts on the `PATH`, or what the environment names. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, delimiter, join } from "node:path";

/** The peers that npm has, in the versions that are measured; `--install` brings them. */
export const INSTALLED = join(import.meta.dirname, "../installed");

/** `native`: compiled for this machine. `node`: JavaScript. `script`: of a shell or another interpreter. */
type ProgramKind = "native" | "node" | "script";

/** First bytes of programs: ELF, Mach-O (64 bits; universal), and Windows. */
const NATIVE = ["7f454c46", "cffaedfe", "cafebabe", "4d5a"];
const RUNTIMES = /^(?:node|bun|deno)(?:\.exe)?$/;
const INTERPRETERS = /^(?:env|sh|bash|dash|zsh|python[\d.]*|perl|ruby|npx|npm)$/;
/** Of a first line that names the interpreter. */
const HEAD_BYTES = 200;

export interface Program {
  /** The words before its arguments. */
  prefix: readonly string[];
  /** Compiled for this machine. */
  isNative: boolean;
}

export interface ProgramWanted {
  name: string;
  /** The environment variable that holds its command. */
  variable: string;
  /** In the folder of packages. Undefined: npm does not have it. */
  file?: string;
  /** People run it as a program of this machine. */
  isNative: boolean;
}

/** Undefined when it is neither named nor installed. Throws an `Error` for what only wraps the program that people run. */
export function findProgram({ name, variable, file, isNative }: ProgramWanted): Program | undefined {
  const prefix = given(process.env[variable]) ?? installed(file, isNative);
  if (!prefix) return undefined;
  const kind = kindOf(prefix);
  if (kind === "script" || (isNative && kind !== "native")) {
    const wanted = isNative ? "its own native program" : "its own program";
    throw new Error(`Cannot measure ${name}: "${prefix.join(" ")}" is a wrapper script; name ${wanted} in ${variable}`);
  }
  return { prefix, isNative: kind === "native" };
}

function given(command: string | undefined): string[] | undefined {
  return command?.trim() ? command.trim().split(/\s+/) : undefined;
}

function installed(file: string | undefined, isNative: boolean): string[] | undefined {
  const path = file && join(INSTALLED, "node_modules", file);
  if (!path || !existsSync(path)) return undefined;
  if (!isNative) return [process.execPath, path];
  // npm leaves it to an install script, which was not run.
  chmodSync(path, 0o755);
  return [path];
}

function kindOf([word = "", ...others]: readonly string[]): ProgramKind {
  const path = onPath(word);
  const name = basename(path);
  if (INTERPRETERS.test(name)) return "script";
  if (RUNTIMES.test(name)) return others.length > 0 ? "node" : "script";
  const head = headOf(path);
  if (NATIVE.some((magic) => head.toString("hex").startsWith(magic))) return "native";
  return /^#!.*\b(?:node|bun|deno)\b/.test(head.toString("latin1")) ? "node" : "script";
}

/** Where links lead to, since npm links programs. */
function onPath(word: string): string {
  if (word.includes("/")) return realpathSync(word);
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, word))
    .find(isExecutable);
  if (!found) throw new Error(`No program "${word}" is on the PATH`);
  return realpathSync(found);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function headOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}
