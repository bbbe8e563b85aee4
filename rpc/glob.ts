/** Does `text` match `glob`, where `*` stands for any run of characters? Never slower than their lengths multiplied. */
export function matchesGlob(glob: string, text: string): boolean {
  let inGlob = 0;
  let inText = 0;
  let star = -1;
  let resume = 0;
  while (inText < text.length) {
    if (glob[inGlob] === "*") {
      star = inGlob++;
      resume = inText;
    } else if (glob[inGlob] === text[inText]) {
      inGlob++;
      inText++;
    } else if (star >= 0) {
      // The last star takes one more character, and we try again from there.
      inGlob = star + 1;
      inText = ++resume;
    } else {
      return false;
    }
  }
  while (glob[inGlob] === "*") inGlob++;
  return inGlob === glob.length;
}
