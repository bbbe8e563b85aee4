/** What a text says to whoever undoes its escapes: an address, a script, markup. */

/** Escapes of escapes of escapes are undone; nothing on the way of a request undoes more. */
const ROUNDS = 3;
const ESCAPES =
  /%(?<percent>[0-9a-f]{2})|\\u\{0{0,4}(?<point>[0-9a-f]{1,6})\}|\\u(?<unit>[0-9a-f]{4})|\\x(?<byte>[0-9a-f]{2})|&#x0{0,6}(?<hex>[0-9a-f]{1,6});?|&#0{0,6}(?<decimal>\d{1,7});?/gi;
const ESCAPING = /[%\\&]/;
const ASCII = /^[\0-\x7f]*$/;
const LAST_CODE_POINT = 0x10_ffff;

/** The text as it stands, and as it is after each round that undid something. Takes time in proportion to its length. */
export function unescapedForms(text: string): [string, ...string[]] {
  const forms: [string, ...string[]] = [plainLetters(text)];
  for (let known = forms[0]; forms.length <= ROUNDS && ESCAPING.test(known); ) {
    const next = plainLetters(known.replace(ESCAPES, unescaped));
    if (next === known) break;
    forms.push(next);
    known = next;
  }
  return forms;
}

/** Letters of another look, such as full-width ones, are those that they look like. */
function plainLetters(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKC");
}

function unescaped(found: string, ...rest: unknown[]): string {
  const { percent, point, unit, byte, hex, decimal } = rest.at(-1) as Record<string, string | undefined>;
  const code = decimal ? Number(decimal) : Number.parseInt(percent ?? point ?? unit ?? byte ?? hex ?? "", 16);
  return code > LAST_CODE_POINT ? found : String.fromCodePoint(code);
}
