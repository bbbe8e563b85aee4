/** Where a file goes whose caller names no path. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BaseContext } from "./context.ts";

/** A new name in the artifacts, that no other call takes: `screenshot-mb3k2x1-9f4c.png`. */
export function artifactPath(
  { artifactsDir }: Pick<BaseContext, "artifactsDir">,
  kind: string,
  extension: string,
): string {
  return join(artifactsDir, `${kind}-${stamp()}${extension}`);
}

/** The same for a file that has a name of its own: `mb3k2x1-9f4c-report.pdf`. */
export function artifactNamed({ artifactsDir }: BaseContext, name: string): string {
  return join(artifactsDir, `${stamp()}-${name}`);
}

function stamp(): string {
  return `${Date.now().toString(36)}-${randomBytes(2).toString("hex")}`;
}
