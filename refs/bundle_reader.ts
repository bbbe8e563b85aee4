/** Makes the in-page reader one script. Used by the build, and by a daemon that runs from source. */
import { join } from "node:path";
import { buildSync } from "esbuild";

/** Old enough for every Chromium that Playwright can drive. */
const TARGET = "chrome120";

const READER = join(import.meta.dirname, "page/engine.ts");

/**
 * A module that exports a selector engine's factory (that of `refs/page/engine.ts` when no other is named), bundled and
 * minified, as an expression that evaluates to the engine.
 */
export function bundleReader(entryPoint = READER): string {
  // `buildSync` leaves no service process behind, which a daemon would keep for its life.
  const { outputFiles } = buildSync({
    entryPoints: [entryPoint],
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "engine",
    target: TARGET,
    charset: "utf8",
    legalComments: "none",
    write: false,
  });
  const script = outputFiles[0]?.text.trim() ?? "";
  const body = /^(?:"use strict";)?var engine=([\s\S]*);$/.exec(script)?.[1];
  if (!body) throw new Error("Cannot bundle the reader: the bundler's output is not the assignment it should be");
  return `${body}.default()`;
}
