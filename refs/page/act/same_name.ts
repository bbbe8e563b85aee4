/** A count in brackets at a name's end: `Archive selected (3)`, `Inbox [12]`. Ten digits are more than any counts to. */
const COUNT = /\s*(?:\(\d{1,10}\)|\[\d{1,10}\])$/;

/**
 * The same element's name, then and now. Of a button that counts what is selected the name changes with every choice;
 * a number anywhere else may tell one row from the next, where rows are used again.
 */
export function isSameName(then: string, now: string): boolean {
  return then === now || (COUNT.test(then) && COUNT.test(now) && then.replace(COUNT, "") === now.replace(COUNT, ""));
}
