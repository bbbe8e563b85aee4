/** Pages with components of other people's making, as their packages ship them. */
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { buildSync } from "esbuild";
import { type Page, Site } from "./site.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/widgets");
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };

/** Each page `/name.html` of the fixtures with its script and styles. */
export async function serveWidgets(...names: string[]): Promise<Site> {
  const pages = names.flatMap((name) => [
    served(`${name}.html`, readFileSync(join(FOLDER, `${name}.html`))),
    ...bundled(name),
  ]);
  return await Site.serve(Object.fromEntries(pages));
}

function bundled(name: string): [string, Page][] {
  const { outputFiles } = buildSync({
    entryPoints: [join(FOLDER, `${name}.jsx`)],
    bundle: true,
    jsx: "automatic",
    minify: true,
    write: false,
    outdir: FOLDER,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles.map(({ path, contents }) => served(`${name}${extname(path)}`, contents));
}

function served(file: string, body: Uint8Array): [string, Page] {
  const type = `${TYPES[extname(file)]}; charset=utf-8`;
  return [`/${file}`, (_request, response) => response.writeHead(200, { "content-type": type }).end(body)];
}
