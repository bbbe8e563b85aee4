/** The pure function that a skill ends with: from what the last read answered to its result. Source, for people to read and change. */

export interface ParserText {
  /** Type of what the read answers, and of what comes of it. */
  from: string;
  to: string;
  source: string;
}

const TEXT: ParserText = {
  from: "{ text: string }",
  to: "Reading",
  source: `/** What the page says. */
export interface Reading {
  /** Without the empty ones. */
  lines: string[];
  /** Those of the form "Total: 42 €", by what stands before the colon. */
  fields: Record<string, string>;
}

export function parse({ text }: { text: string }): Reading {
  const lines = text.split("\\n").map((line) => line.trim()).filter((line) => line !== "");
  const fields: Record<string, string> = {};
  for (const line of lines) {
    const [, label, value] = /^([^:]{1,60}): *(\\S.*)$/.exec(line) ?? [];
    if (label !== undefined && value !== undefined) fields[label] = value;
  }
  return { lines, fields };
}`,
};

const TABLE: ParserText = {
  from: "{ columns: string[]; rows: string[][] }",
  to: "Row[]",
  source: `/** A row of the table, by the headings of its columns. */
export type Row = Record<string, string>;

export function parse({ columns, rows }: { columns: string[]; rows: string[][] }): Row[] {
  return rows.map((row) => {
    return Object.fromEntries(row.map((cell, at) => [columns[at] ?? \`column \${at + 1}\`, cell]));
  });
}`,
};

const LINKS: ParserText = {
  from: "{ links: { text: string; url: string }[] }",
  to: "{ text: string; url: string }[]",
  source: `/** The links, each once. */
export function parse({ links }: { links: { text: string; url: string }[] }): { text: string; url: string }[] {
  const known = new Map(links.map(({ text, url }) => [\`\${url} \${text}\`, { text, url }]));
  return [...known.values()];
}`,
};

const VERY_SIMPLE: Readonly<Record<string, [member: string, type: string, what: string]>> = {
  attrs: ["attributes", "Record<string, string>", "The element's attributes"],
  count: ["count", "number", "How many there are"],
  html: ["html", "string", "The HTML"],
  is: ["is", "boolean", "Is it so?"],
  markdown: ["markdown", "string", "The page as Markdown"],
  title: ["title", "string", "The page's title"],
  url: ["url", "string", "Where the tab is"],
  value: ["value", "unknown", "What the field holds"],
};

const WHOLE: ParserText = {
  from: "Record<string, unknown>",
  to: "Record<string, unknown>",
  source: `/** What was read, without what is said about it. */
export function parse({ untrusted: _, ...answer }: Record<string, unknown>): Record<string, unknown> {
  return answer;
}`,
};

/** For a read that \`recordingOf\` accepts. */
export function parserFor(command: string): ParserText {
  if (command === "text") return TEXT;
  if (command === "table") return TABLE;
  if (command === "links") return LINKS;
  const simple = VERY_SIMPLE[command];
  if (!simple) return WHOLE;
  const [member, type, what] = simple;
  const from = `{ ${member}: ${type} }`;
  const source = `/** ${what}. */\nexport function parse({ ${member} }: ${from}): ${type} {\n  return ${member};\n}`;
  return { from, to: type, source };
}
