/**
 * Builds `dist/`: the client and what it rarely needs, the daemon and the SDK, one file each. Puts the SDK beside each skill that ships.
 * `npm run build`
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BuildOptions, buildSync } from "esbuild";
import { bundleReader } from "../refs/bundle_reader.ts";
import { helpText } from "./build_help.ts";
import { copySdk } from "./bundled_sdk.ts";
import { compileNative } from "./native/compile.ts";

/** See docs/design: every byte of the client is read and compiled by every single command. */
const MAX_CLIENT_BYTES = 12_000;
/** The oldest Node that can run the daemon; the client says so on older ones. */
const NODE_MAJOR = 24;
/** Packages that the daemon always needs, or that are small. All others are loaded when used, from `node_modules`. */
const BUNDLED = ["@valibot/to-json-schema", "acorn", "json-rpc-2.0", "jsonc-parser", "valibot", "ws"];
/** Optional parts of `ws` that are not installed. */
const ABSENT = ["bufferutil", "utf-8-validate"];

/** What the client loads only where it is needed. */
const PARTS = ["ask", "given", "lifecycle", "repl", "resume"];

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

interface Package {
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const SHARED = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  charset: "utf8",
  legalComments: "none",
  write: false,
  metafile: true,
} satisfies BuildOptions;

const manifest: Package = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/** Where the hash of the build goes, once that is known. */
const UNKNOWN = "+00000000";

async function build(): Promise<void> {
  const define = { __BROWSE_VERSION__: JSON.stringify(manifest.version + UNKNOWN) };
  const scripts = {
    "browse.mjs": buildClient(define),
    ...Object.fromEntries(PARTS.map((name) => [`${name}.mjs`, buildPart(name)])),
    "daemon.mjs": buildStarter(),
    "daemon_main.mjs": buildDaemon(define),
    "classifier_worker.mjs": buildWorker(),
    "client.mjs": bundle({ entryPoints: ["client.ts"], target: "es2022" }),
    "help.json": helpText(),
  };
  const bytes = Buffer.byteLength(scripts["browse.mjs"]);
  if (bytes > MAX_CLIENT_BYTES) {
    throw new Error(`dist/browse.mjs has ${bytes} bytes, over its limit of ${MAX_CLIENT_BYTES}`);
  }
  // A daemon of another build gives way, as one of another version does: who changes the code need not think of it.
  const hash = createHash("sha256")
    .update(Object.values(scripts).join(""))
    .digest("hex")
    .slice(0, UNKNOWN.length - 1);
  await mkdir(dist, { recursive: true });
  const sizes = await Promise.all(
    Object.entries(scripts).map(([name, script]) => write(name, script.replaceAll(UNKNOWN, `+${hash}`))),
  );
  await declareClient();
  copySdk();
  rebuildNative(`${manifest.version}+${hash}`);
  process.stderr.write(`Built ${manifest.version}+${hash}: ${sizes.join(", ")}\n`);
}

/** The native client, where there is one: it would find no daemon of its own build any more. */
function rebuildNative(version: string): void {
  const to = join(dist, "native/browse");
  if (!existsSync(to)) return;
  try {
    compileNative({ version, node: process.execPath, to });
  } catch (error) {
    rmSync(to);
    process.stderr.write(`Removed dist/native/browse, which is of an earlier build: ${(error as Error).message}\n`);
  }
}

const DECLARATIONS = [
  "--declaration --emitDeclarationOnly --stripInternal --strict --ignoreConfig --types node",
  "--target esnext --module nodenext --moduleResolution nodenext",
];

/** The types that users get, without our source: its own types need what they may not have. A second, if it is due. */
async function declareClient(): Promise<void> {
  const [source, declared] = [join(root, "client.ts"), join(dist, "client.d.ts")];
  const known = await stat(declared).catch(() => undefined);
  if (known && known.mtimeMs > (await stat(source)).mtimeMs) return;
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const flags = DECLARATIONS.join(" ").split(" ");
  await promisify(execFile)(process.execPath, [compiler, source, ...flags, "--outDir", dist]);
}

function buildClient(define: Record<string, string>): string {
  const script = bundle({ entryPoints: ["bin/browse.ts"], define, minify: true, platform: "node", target: "es2022" });
  const complaint = `browse needs Node ${NODE_MAJOR} or newer; this is `;
  const check = `if(parseInt(process.versions.node)<${NODE_MAJOR}){console.error("${complaint}"+process.versions.node);process.exit(3)}`;
  return `#!/usr/bin/env node\n${check}${assertAlone(withoutFacades(script))}`;
}

function buildPart(name: string): string {
  const target = `node${NODE_MAJOR}`;
  return withoutFacades(bundle({ entryPoints: [`bin/${name}.ts`], minify: true, platform: "node", target }));
}

/** What loads the daemon. */
function buildStarter(): string {
  return withoutFacades(bundle({ entryPoints: ["bin/daemon.ts"], platform: "node", target: `node${NODE_MAJOR}` }));
}

function buildDaemon(define: Record<string, string>): string {
  const script = bundle({
    ...besidePackages(),
    entryPoints: ["daemon.ts"],
    define: { ...define, __BROWSE_READER__: JSON.stringify(bundleReader()) },
  });
  return withoutFacades(script);
}

/** The thread that the content classifier's models run in. */
function buildWorker(): string {
  return withoutFacades(bundle({ ...besidePackages(), entryPoints: ["security/content/classifier/worker.ts"] }));
}

/** What the daemon's process loads finds packages in `node_modules`. */
function besidePackages(): BuildOptions {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const packages = [dependencies, optionalDependencies, devDependencies].flatMap(Object.keys);
  return {
    minifySyntax: true,
    platform: "node",
    mainFields: ["module", "main"],
    target: `node${NODE_MAJOR}`,
    external: [...packages, "playwright-core", ...ABSENT].filter((name) => !BUNDLED.includes(name)),
    // Bundled CommonJS packages ask for Node's own modules through `require`.
    banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
  };
}

function bundle(options: BuildOptions): string {
  const { outputFiles, metafile } = buildSync({ ...options, ...SHARED });
  for (const { imports } of Object.values(metafile.outputs)) for (const { path } of imports) assertInstalled(path);
  return outputFiles[0]?.text ?? "";
}

/** Throws for what users do not have: their installation leaves out what only development needs. */
function assertInstalled(imported: string): void {
  const name = Object.keys(manifest.devDependencies).find(
    (each) => imported === each || imported.startsWith(`${each}/`),
  );
  if (name) throw new Error(`Cannot build: "${name}" is imported, which is a development dependency`);
}

/** An import of a Node module, minified or not: its default, its names, the module. */
const NODE_IMPORT = /import\s*(?:([\w$]+)\s*(?:,\s*)?)?(?:\{([^}]*)\})?\s*from\s*"(node:[\w/]+)";/g;

/**
 * Takes Node's modules by `getBuiltinModule` instead of by `import`: an import reads every export of the module to make
 * its namespace, which loads half of Node: 4 ms of each command, and 30 ms of a daemon's start.
 */
function withoutFacades(script: string): string {
  const whole: string[] = [];
  const names = new Map<string, string[]>();
  const rest = script.replace(NODE_IMPORT, (_, name: string | undefined, list: string | undefined, module: string) => {
    if (name) whole.push(`${name}=process.getBuiltinModule("${module}")`);
    if (list) names.set(module, [...(names.get(module) ?? []), list.replaceAll(" as ", ":")]);
    return "";
  });
  // The bundler keeps what only code that it has left out asked for.
  const isUsed = (name: string) =>
    new RegExp(`(?<![\\w$])${RegExp.escape(name.split(":").at(-1) ?? "")}(?![\\w$])`).test(rest);
  const parts = [...names].map(([module, lists]) => {
    const used = lists.flatMap((list) => list.split(",").map((name) => name.trim())).filter(isUsed);
    return `{${used}}=process.getBuiltinModule("${module}")`;
  });
  return `const ${[...whole, ...parts]};${rest}`;
}

/** Throws unless the client stands alone. */
function assertAlone(script: string): string {
  if (/\bimport\s*[{*"\w]/.test(script))
    throw new Error("Cannot build the client: it imports what is not a Node module");
  return script;
}

/** Writes whole files only, since commands may be running from the old ones. */
async function write(name: string, text: string): Promise<string> {
  const path = join(dist, name);
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, text);
  if (name === "browse.mjs") await chmod(partial, 0o755);
  await rename(partial, path);
  return `dist/${name} (${Buffer.byteLength(text)} bytes)`;
}

await build();
