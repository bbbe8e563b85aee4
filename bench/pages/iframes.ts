import { documentShell } from "./document_shell.ts";

/** A page that holds itself, one level less deep each time. */
export function iframesPage(depth: number): string {
  const inner =
    depth > 0 ? `<iframe title="Level ${depth}" width="90%" height="70%" src="/iframes-${depth - 1}"></iframe>` : "";
  return documentShell(
    `Frames, ${depth} deep`,
    `<h1>Level ${depth}</h1><label>Field ${depth} <input></label> <button type="button">Press ${depth}</button>${inner}`,
    "<style>html,body{height:95%}</style>",
  );
}
