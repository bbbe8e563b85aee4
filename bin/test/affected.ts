/**
 * The test files that a change can make fail, by the import graph. What drives the built product depends on all that is
 * built, and so does what has all commands from a harness; but of the commands, only on those that it names. A file that
 * is named in a string counts as imported.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

export interface Affected {
  /** All against the revision, by their paths in the repository. */
  changed: string[];
  tests: { file: string; why: string }[];
  /** How many test files there are. */
  total: number;
}

const root = join(import.meta.dirname, "../..");
/** Whatever they say concerns every test. */
const OF_ALL = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig\.json|spec\/[^/]+\.ts)$/;
const TEST = /^spec\/.*\.test\.ts$/;
/** A command, or a part that only commands have. Not what they have in common. */
const COMMAND = /^commands\/([^/_][^/]*\/){1,2}[^/_][^/]*\.ts$/;
/** What the build begins with. The daemon has its commands from there. */
const BUILT = [
  "bin/browse.ts",
  "bin/given.ts",
  "bin/lifecycle.ts",
  "bin/repl.ts",
  "bin/ask.ts",
  "bin/resume.ts",
  "bin/daemon.ts",
  "daemon.ts",
  "client.ts",
];
const REGISTRY = "commands/mod.ts";
/** Of the project's own. */
const SCRIPT = /^(?!dist\/|node_modules\/).*\.(ts|mjs)$/;
/** The native client is not of TypeScript: its tests are those of the client. */
const NATIVE = /^bin\/native\//;
const OF_CLIENT = /^spec\/bin\//;
/** What knows where the build is. */
const NAMES_BUILD = /["/]dist\b/;

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Against `revision`, with what is not committed. */
export function affectedBy(revision: string): Affected {
  const changed = [...git("diff", "--name-only", revision), ...git("ls-files", "--others", "--exclude-standard")];
  const all = testFiles();
  return { changed, tests: dependents(changed, all, graphOf(all)), total: all.length };
}

export function testFiles(): string[] {
  const paths = git("ls-files", "--cached", "--others", "--exclude-standard", "spec");
  return paths.filter((path) => TEST.test(path) && existsSync(join(root, path)));
}

/** Those of the tests that depend on what has changed, and how. */
export function dependents(changed: readonly string[], tests: readonly string[], graph: Graph): Affected["tests"] {
  const forAll = changed.find((path) => OF_ALL.test(path) && !TEST.test(path));
  if (forAll) return tests.map((file) => ({ file, why: `${forAll} concerns every test` }));
  const withoutCommands = new Map([...graph].filter(([path]) => path !== REGISTRY));
  const isChanged = new Set(changed);
  const core = reach(withoutCommands, BUILT).find((path) => isChanged.has(path));
  const commands = changedCommands(withoutCommands, isChanged);
  return tests.flatMap((file) => {
    const isOfAll = graph.get(file)?.includes(REGISTRY);
    const parts = reach(isOfAll ? graph : withoutCommands, [file]);
    const needed = parts.find((path) => isChanged.has(path));
    if (needed) return [{ file, why: needed === file ? "it has changed" : `it needs ${needed}` }];
    const native = OF_CLIENT.test(file) && changed.find((path) => NATIVE.test(path));
    if (native) return [{ file, why: `it drives the client, of which ${native} is a part` }];
    const texts = parts.filter((path) => path.startsWith("spec/") && path.endsWith(".ts")).map(read);
    const isDriver = texts.some((text) => NAMES_BUILD.test(text));
    if (isDriver && core) return [{ file, why: `it drives the build, which needs ${core}` }];
    if (!isDriver && !parts.includes(REGISTRY)) return [];
    const command = commands.find(({ words }) => texts.some((text) => text.includes(words)));
    return command ? [{ file, why: `it calls ${command.name}, which has changed` }] : [];
  });
}

/** What has changed in the build beside what is behind all that it does. */
function changedCommands(graph: Graph, isChanged: ReadonlySet<string>) {
  return [...graph.keys()]
    .filter((path) => COMMAND.test(path) && reach(graph, [path]).some((part) => isChanged.has(part)))
    .map(commandOf);
}

/** `session.close` is written as two words, and each name as its file has it. */
function commandOf(path: string): { name: string; words: string } {
  const name = /\bname: "([^"]+)"/.exec(read(path))?.[1] ?? path;
  const words = name
    .split(".")
    .map((word) => `"${word}"`)
    .join(", ");
  return { name, words };
}

/** What each file imports, and what it names in a string: the tests, the product, and scripts that are only named. */
export function graphOf(tests: readonly string[]): Graph {
  const graph = new Map<string, string[]>();
  for (let fresh = [...tests, ...BUILT]; fresh.length > 0; ) {
    const read = importsOf(fresh).filter(([path]) => !graph.has(path));
    for (const [path, imported] of read) graph.set(path, [...imported, ...namedIn(path)]);
    const named = new Set(read.flatMap(([path]) => graph.get(path) ?? []));
    fresh = [...named].filter((path) => SCRIPT.test(path) && !graph.has(path));
  }
  return graph;
}

function importsOf(entryPoints: string[]): [string, string[]][] {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    outdir: "none",
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return Object.entries(metafile.inputs).map(([path, { imports }]) => [
    path,
    imports.filter(({ external }) => !external).map((imported) => imported.path),
  ]);
}

/** Files and folders of the repository, as the strings of a file name them: from its own folder, or from the root. */
function namedIn(path: string): string[] {
  const strings = read(path).matchAll(/["'`/]([\w.-][\w./-]*\.\w+|[\w./-]*fixtures\/[\w-]+)["'`]/g);
  return [...strings].flatMap(([, name = ""]) =>
    [join(dirname(path), name), name].filter((found) => !found.startsWith("..") && existsSync(join(root, found))),
  );
}

/** All that the files need, themselves first. A folder stands for what is in it. */
function reach(graph: Graph, from: readonly string[]): string[] {
  const found = new Set(from);
  for (const path of found) for (const next of graph.get(path) ?? []) found.add(next);
  return [...found];
}

function read(path: string): string {
  const full = join(root, path);
  return statSync(full).isFile() ? readFileSync(full, "utf8") : "";
}

function git(...argv: string[]): string[] {
  const text = execFileSync("git", argv, { cwd: root, encoding: "utf8" });
  return text.split("\n").filter((line) => line !== "");
}
