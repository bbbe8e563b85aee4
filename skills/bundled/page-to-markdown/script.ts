/** A page, or the article on it, as Markdown. */
import type { Browse } from "./client.ts";

export type Part = "article" | "page";

export interface PageMarkdown {
  url: string;
  title: string;
  part: Part;
  markdown: string;
}

interface Args {
  url: string;
  part?: string;
}

/** An article that is this long is one, whatever else is on the page. Characters. */
const LONG_ARTICLE = 2_000;
/** Of the page's characters. */
const ARTICLE_SHARE = 0.25;

export async function main(
  browse: Browse,
  { url, part = "auto" }: Args,
  { log }: { log: (message: string) => void },
): Promise<PageMarkdown> {
  if (!["auto", "article", "page"].includes(part)) {
    throw new Error(`"part" is "auto", "article" or "page", not ${JSON.stringify(part)}`);
  }
  const arrived = await browse.goto({ url, wait: "load" });
  if (arrived.status !== undefined && arrived.status >= 400) {
    throw new Error(`${arrived.url} answered with status ${arrived.status}`);
  }
  if (arrived.shows) throw new Error(`${url} answered without a page`);
  const { title } = await browse.title();
  const page = part === "article" ? "" : (await browse.markdown()).markdown;
  const article = part === "page" ? "" : (await browse.markdown({ article: true })).markdown;
  const chosen = part === "auto" ? partOf(page, article) : (part as Part);
  const markdown = tidied(chosen === "article" ? article : page);
  if (markdown === "") throw new Error(`${arrived.url} has no text that a person could see`);
  if (part === "auto") log(`Took the ${chosen}`);
  return { url: arrived.url, title, part: chosen, markdown: withTitle(markdown, title) };
}

/** Which of the two is what the page is about. */
export function partOf(page: string, article: string): Part {
  return article.length >= LONG_ARTICLE || (article !== "" && article.length >= page.length * ARTICLE_SHARE)
    ? "article"
    : "page";
}

/** Without spaces at the ends of lines and with one empty line at a time, but for what is in a block of code. */
export function tidied(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    const mark = fenceOf(line);
    const isCode = fence !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    // Two spaces at an end are a line break.
    const text = isCode ? line : line.endsWith("  ") && line.trim() !== "" ? `${line.trimEnd()}  ` : line.trimEnd();
    if (isCode || text !== "" || lines.at(-1) !== "") lines.push(text);
  }
  return lines.join("\n").trim();
}

/** The backticks or tildes that a line begins or ends a block of code with. */
function fenceOf(line: string): string | undefined {
  const text = line.trimStart();
  const mark = text[0];
  if (line.length - text.length > 3 || (mark !== "`" && mark !== "~")) return undefined;
  let length = 0;
  while (text[length] === mark) length++;
  return length >= 3 ? mark.repeat(length) : undefined;
}

/** Headed by the page's title, where it has no heading of the first level of its own. */
export function withTitle(markdown: string, title: string): string {
  const words = title.replace(/\s+/g, " ").trim();
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const mark = fenceOf(line);
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    else if (fence === undefined && line.startsWith("# ")) return markdown;
  }
  return words === "" ? markdown : `# ${words}\n\n${markdown}`;
}
