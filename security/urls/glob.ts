/**
 * Does `text` match `glob`, where `*` stands for any run of characters? Looks for the parts between the stars one after
 * another, so that no address a page makes up takes longer than its length.
 */
export function matchesGlob(glob: string, text: string): boolean {
  const parts = glob.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return glob === text;
  const end = text.length - last.length;
  let at = first.length;
  if (at > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
