import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRpcDocument } from "../../rpc/methods/openrpc.ts";

/** The OpenRPC document of this version, as it is committed. */
export function openRpcText(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  const { version } = manifest as { version: string };
  return `${JSON.stringify(openRpcDocument(version), null, 2)}\n`;
}
