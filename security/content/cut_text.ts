/** The beginning of a text that may be long without end. */

/** What `cutText` puts at the end. */
const MARK = /… \((\d+) more characters\)$/;
const MAX_MARK = 40;

/**
 * The first `length` UTF-16 units, as a string of its own: what V8 slices off keeps the whole alive for as long as it lives
 * itself.
 */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  return JSON.parse(JSON.stringify(text.slice(0, length))) as string;
}

/** `begun` and how much of `text` follows after its first `length` units, also where some of it was cut off before. */
export function withRest(begun: string, text: string, length: number): string {
  const [mark = "", already = "0"] = MARK.exec(text.slice(-MAX_MARK)) ?? [];
  return `${begun}… (${text.length - mark.length + Number(already) - length} more characters)`;
}

/** No longer than `length` and a word on how much follows. */
export function cutText(text: string, length: number): string {
  return text.length > length ? withRest(headOf(text, length).toWellFormed(), text, length) : text;
}
