/** The client under test: Node's, or the native one where Vitest's project says so. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const DIST = join(import.meta.dirname, "../../dist");

export const isNative = process.env.CLIENT_UNDER_TEST === "native";
export const NATIVE_CLIENT = join(DIST, "native/browse");
export const isNativeBuilt = existsSync(NATIVE_CLIENT);

/** What runs the client that is installed in a folder. */
export function clientIn(folder = DIST, native = isNative): [program: string, ...argv: string[]] {
  return native ? [join(folder, "native/browse")] : [process.execPath, join(folder, "browse.mjs")];
}
