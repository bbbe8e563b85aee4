/**
 * Writes everything in `docs/` that the registry can tell, and the typed surface of `client.ts`, which it puts beside each skill that ships.
 * `--check` writes nothing and fails when a file is not what it would be.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import "../commands/mod.ts";
import { copySdk } from "./bundled_sdk.ts";
import { clientSurface } from "./docs/client_surface.ts";
import { commandPages } from "./docs/command_pages.ts";
import { openRpcText } from "./docs/openrpc_text.ts";
import { otherToolsPage } from "./docs/other_tools_page.ts";
import { environmentPage, errorsPage, eventsPage } from "./docs/table_pages.ts";

const root = join(import.meta.dirname, "..");
const REFERENCE = join(root, "docs/reference");

/** Every generated file by path, with what it must hold. */
async function generated(): Promise<Map<string, string>> {
  return new Map([
    ...commandPages().map(({ name, text }): [string, string] => [join(REFERENCE, name), text]),
    [join(root, "docs/errors.md"), errorsPage()],
    [join(root, "docs/events.md"), eventsPage()],
    [join(root, "docs/environment.md"), environmentPage()],
    [join(root, "docs/other-tools.md"), otherToolsPage()],
    [join(root, "docs/openrpc.json"), openRpcText()],
    [join(root, "client.ts"), clientSurface(readFileSync(join(root, "client.ts"), "utf8"))],
  ]);
}

/** Pages of commands that are no more. */
function leftOver(files: ReadonlyMap<string, string>): string[] {
  if (!existsSync(REFERENCE)) return [];
  return readdirSync(REFERENCE)
    .map((name) => join(REFERENCE, name))
    .filter((path) => !files.has(path));
}

const isCheck = process.argv.includes("--check");
const files = await generated();
const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, "utf8") !== text);
const extra = leftOver(files);

if (isCheck) {
  for (const path of [...stale.map(([path]) => path), ...extra]) console.error(`Out of date: ${relative(root, path)}`);
  if (stale.length + extra.length > 0) {
    console.error("Run `npm run docs` and commit what it writes");
    process.exitCode = 1;
  }
} else {
  for (const path of extra) rmSync(path);
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`Wrote ${relative(root, path)}`);
  }
  copySdk();
  console.log(`${files.size} files up to date`);
}
