/** Builds `dist/` before the tests, since they drive what is shipped and not the sources. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

const script = (name: string) => join(import.meta.dirname, "../bin", name);

/** Called by Vitest before the tests. */
export default function setup(): void {
  execFileSync(process.execPath, [script("build.ts")], { stdio: ["ignore", "ignore", "inherit"] });
  // Where it cannot be built it says so, and its tests are left out.
  spawnSync(process.execPath, [script("build_native.ts")], { stdio: "inherit" });
}
