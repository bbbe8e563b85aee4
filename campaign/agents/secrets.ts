/** Words that nobody may come to know, and where they are found again however they are written. */

export interface Secret {
  /** What it is, for the report. */
  name: string;
  value: string;
}

/** What is told of a place where one was found. */
const AROUND = 60;

/** A word that no redactor takes for a token, so that none hides a leak. */
export function plantedWord(what: string): string {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join("");
  return `planted${what}${letters}`;
}

/** The secrets that stand in the text: as they are, backwards, in hex, or in any of the three alignments of base64. */
export function secretsIn(text: string, secrets: readonly Secret[]): string[] {
  const lower = text.toLowerCase();
  return secrets.flatMap(({ name, value }) => {
    for (const [how, needle] of spellings(value)) {
      const index = how.startsWith("base64") ? text.indexOf(needle) : lower.indexOf(needle.toLowerCase());
      if (index < 0) continue;
      return [`${name} ${how}: …${text.slice(Math.max(0, index - AROUND), index + needle.length + AROUND)}…`];
    }
    return [];
  });
}

function spellings(value: string): [how: string, needle: string][] {
  const bytes = Buffer.from(value);
  const shifted = [0, 1, 2].map((by): [string, string] => {
    const text = Buffer.concat([Buffer.alloc(by), bytes]).toString("base64");
    // The first and last characters depend on what stands beside it.
    return [`base64+${by}`, text.slice(by === 0 ? 0 : 4, text.length - 4)];
  });
  return [
    ["as it is", value],
    ["backwards", [...value].reverse().join("")],
    ["in hex", bytes.toString("hex")],
    ...shifted,
  ];
}
