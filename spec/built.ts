/** Builds `dist/` before the tests, since they drive what is shipped and not the sources. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Called by Vitest before the tests. */
export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "../bin/build.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}
