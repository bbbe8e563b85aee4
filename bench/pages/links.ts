import { documentShell, repeat } from "./document_shell.ts";

/** A directory of 200 links. */
export function linksPage(): string {
  const item = (n: number) => `<li><a href="/links?item=${n}">Item number ${n} of the directory</a></li>`;
  return documentShell("200 links", `<main><h1>Directory</h1><ul>${repeat(200, item)}</ul></main>`);
}
