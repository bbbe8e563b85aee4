/** Which browse this is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_VERSION__: string;

export function versionOf(): string {
  if (typeof __BROWSE_VERSION__ !== "undefined") return __BROWSE_VERSION__;
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  return String((manifest as { version: unknown }).version);
}
