/** Compiles the native client. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const SOURCE = join(import.meta.dirname, "browse.c");
/** The first that is there. `CC` goes before them. */
const COMPILERS = ["musl-gcc", "cc", "gcc", "clang"];
const FLAGS = "-std=c11 -O2 -s -Wall -Wextra -Werror -fstack-protector-strong".split(" ");
/** A program that loads no library starts in half the time. Not every system has what that takes. */
const LINKING = [["-static-pie"], ["-static"], []];

export interface CompileOptions {
  /** With the hash of the build: it talks to no daemon of another. */
  version: string;
  /** The Node to hand over to; that of the `PATH` where this is not there. */
  node: string;
  /** The file to write. */
  to: string;
  /** Other flags of the compiler, in place of those for a small and quick program. */
  flags?: readonly string[];
}

export interface Compiled {
  compiler: string;
  /** It needs no library of the system. */
  isStatic: boolean;
}

/** Writes the program. Throws a plain sentence where there is no way to make it. */
export function compileNative(options: CompileOptions): Compiled {
  if (process.platform !== "linux")
    throw new Error(`The native client is for Linux only so far, not ${process.platform}`);
  const compiler = [process.env.CC ?? "", ...COMPILERS].find((name) => name !== "" && runs(name, ["--version"]).ok);
  if (!compiler) {
    throw new Error("There is no C compiler (cc, gcc, clang or what CC names), so browse goes on with its Node client");
  }
  const linking = options.flags ? [[]] : LINKING;
  let said = "";
  for (const flags of linking) {
    const { ok, stderr } = compile(compiler, flags, options);
    if (ok) return { compiler, isStatic: flags.length > 0 };
    said = stderr;
  }
  throw new Error(`${compiler} cannot compile the native client:\n${said}`);
}

/** Writes whole files only, since the old program may be running. */
function compile(compiler: string, linking: readonly string[], { version, node, to, flags = FLAGS }: CompileOptions) {
  const partial = `${to}.${process.pid}`;
  const defines = [`-DVERSION=${JSON.stringify(version)}`, `-DNODE=${JSON.stringify(node)}`];
  mkdirSync(dirname(to), { recursive: true });
  const compiled = runs(compiler, [...flags, ...linking, ...defines, SOURCE, "-o", partial]);
  if (compiled.ok) renameSync(partial, to);
  else rmSync(partial, { force: true });
  return compiled;
}

function runs(program: string, argv: readonly string[]): { ok: boolean; stderr: string } {
  const { status, stderr } = spawnSync(program, argv, { encoding: "utf8" });
  return { ok: status === 0, stderr };
}

/** The version with the hash of the build that is in the folder. Throws when nothing was built. */
export function builtVersion(dist: string): string {
  const [, version] = /"(\d+\.\d+\.\d+\+[0-9a-f]{8})"/.exec(readFileSync(join(dist, "browse.mjs"), "utf8")) ?? [];
  if (!version) throw new Error("dist/browse.mjs has no version: run `npm run build`");
  return version;
}
