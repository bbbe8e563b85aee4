/** A whole page around the given body. */
export function documentShell(title: string, body: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** `count` pieces of HTML, numbered from 1. */
export function repeat(count: number, piece: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index + 1)).join("");
}
