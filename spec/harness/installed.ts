/** What users get: the packed tarball in a folder of its own, beside the packages that it brings along and no others. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Puts it where npm would, without a network. Gives the client. */
export function install(folder: string): string {
  const app = join(folder, "node_modules/browse");
  mkdirSync(app, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(folder, packed), "-C", app, "--strip-components=1"]);
  linkDependencies(folder);
  return join(app, "dist/browse.mjs");
}

/** The packages that an installation in that folder brings along. */
export function linkDependencies(folder: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: true }>;
  };
  for (const [path, { dev }] of Object.entries(packages)) {
    const isTop = path !== "" && path.lastIndexOf("node_modules/") === 0;
    if (dev || !isTop || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}
