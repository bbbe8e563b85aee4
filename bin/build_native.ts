/**
 * Builds the native client: `npm run build:native`. With `--package <folder>` as packages for npm instead: one for this
 * machine's platform, and the main one, which asks for every platform that is in the folder by then.
 *
 *     <folder>/@browse/linux-x64/package.json, bin/browse
 *     <folder>/browse/package.json, dist/, …
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtVersion, compileNative } from "./native/compile.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const platform = `${process.platform}-${process.arch}`;

interface Manifest extends Record<string, unknown> {
  version: string;
  license: string;
  optionalDependencies: Record<string, string>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function buildHere(): string {
  const to = join(dist, "native/browse");
  const { compiler, isStatic } = compileNative({ version: builtVersion(dist), node: process.execPath, to });
  const { size } = statSync(to);
  return `Built dist/native/browse (${size} bytes, ${isStatic ? "static" : "with the system's libraries"}, by ${compiler})`;
}

function buildPackages(folder: string): string {
  const own = join(folder, "@browse", platform);
  const { isStatic } = compileNative({ version: builtVersion(dist), node: "node", to: join(own, "bin/browse") });
  const { version, license } = manifest;
  writeManifest(own, {
    name: `@browse/${platform}`,
    version,
    description: `The native client of browse for ${platform}`,
    license,
    os: [process.platform],
    cpu: [process.arch],
    ...(!isStatic && { libc: ["glibc"] }),
    files: ["bin"],
    preferUnplugged: true,
  });
  cpSync(join(root, "LICENSE"), join(own, "LICENSE"));
  const platforms = readdirSync(join(folder, "@browse"));
  writeMain(join(folder, "browse"), platforms);
  return `Wrote @browse/${platform} and browse, which asks for ${platforms.join(", ")}, to ${folder}`;
}

/** What `npm pack` would pack, and the platforms' packages as optional dependencies of the same version. */
function writeMain(folder: string, platforms: readonly string[]): void {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const packed: { files: { path: string }[] }[] = Object.values(JSON.parse(listed));
  for (const { path } of packed[0]?.files ?? []) cpSync(join(root, path), join(folder, path));
  const natives = Object.fromEntries(platforms.map((name) => [`@browse/${name}`, manifest.version]));
  writeManifest(folder, { ...manifest, optionalDependencies: { ...manifest.optionalDependencies, ...natives } });
}

function writeManifest(folder: string, members: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(members, null, 2)}\n`);
}

const [flag, folder, ...more] = process.argv.slice(2);
try {
  if (more.length > 0 || (flag !== undefined && (flag !== "--package" || !folder))) {
    throw new Error("Usage: node bin/build_native.ts [--package <folder>]");
  }
  process.stderr.write(`${folder ? buildPackages(folder) : buildHere()}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
