/** Splits a line into words as a POSIX shell would, without expanding anything. */

const WORD = /\s*((?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+)/y;
const PIECE = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^'"\\]+)/g;

/** The words of a line; undefined when a quote or an escape is left open. */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  const end = line.trimEnd().length;
  let at = 0;
  while (at < end) {
    WORD.lastIndex = at;
    const match = WORD.exec(line);
    if (!match) return undefined;
    words.push(unquoted(match[1] ?? ""));
    at = WORD.lastIndex;
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(PIECE, (_piece, escaped?: string, single?: string, double?: string, bare?: string) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, "$1");
    return escaped ?? single ?? bare ?? "";
  });
}
