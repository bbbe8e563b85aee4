/** Style values that callers set on a page: none of them may make the page load anything, or run. */

const LOADING = /(?<![\w-])(?:url|src|image|image-set|-webkit-image-set|expression)\(|@import/i;

/**
 * Does the value load something, or call what old browsers ran? Escapes are undone first, since `u\72l(` is `url(` to a
 * browser (CSS Syntax 3, 4.3.7). Text in quotes that looks like it counts too.
 */
export function loadsSomething(value: string): boolean {
  const plain = value.replace(
    /\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|([^\n\r\f]))/gi,
    (_, hex: string | undefined, character: string | undefined) => character ?? fromHex(hex ?? ""),
  );
  return LOADING.test(plain);
}

function fromHex(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}
