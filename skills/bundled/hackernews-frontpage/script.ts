/** The stories of a Hacker News list, read from its HTML. */
import type { Browse } from "./client.ts";

export interface Story {
  rank: number;
  title: string;
  url: string;
  site: string | null;
  points: number | null;
  author: string | null;
  age: string | null;
  comments: number | null;
  discussion: string | null;
}

interface Args {
  url?: string;
}

const FRONT_PAGE = "https://news.ycombinator.com/";
/** Stories of a full page. */
const FULL = 30;

export async function main(
  browse: Browse,
  { url = FRONT_PAGE }: Args,
  { log }: { log: (message: string) => void },
): Promise<Story[]> {
  const arrived = await browse.goto({ url }, { noSettle: true });
  if (arrived.status !== undefined && arrived.status >= 400) {
    throw new Error(`${arrived.url} answered with status ${arrived.status}`);
  }
  const { html } = await browse.html();
  const stories = parseStories(html, arrived.url);
  if (stories.length === 0) throw new Error(`No stories were seen on ${arrived.url}: it may be another page now`);
  if (stories.length !== FULL) log(`${stories.length} stories were seen, where a full page has ${FULL}`);
  return stories;
}

/** Stories in the order of the page. `html` is what a browser writes of it; `base` is its address. */
export function parseStories(html: string, base: string): Story[] {
  const stories: Story[] = [];
  let field: string | undefined;
  let parent = "";
  for (const piece of piecesOf(html)) {
    const story = stories.at(-1);
    if (piece.kind === "text") {
      if (story && field !== undefined) take(story, field, piece.text);
    } else if (piece.kind === "end") {
      field = undefined;
      if (piece.name !== "a") parent = "";
    } else if (piece.name === "tr" && hasClass(piece, "athing")) {
      stories.push(noStory());
    } else if (story) {
      field = fieldOf(piece, parent);
      if (piece.name !== "a") parent = piece.attributes.class ?? "";
      const href = piece.attributes.href;
      if (field === "title" && href !== undefined) story.url = absolute(href, base);
      if (field === "link" && href?.startsWith("item?")) story.discussion = absolute(href, base);
    }
  }
  return stories.filter(({ title, rank }) => title !== "" && rank > 0).map(finished);
}

function noStory(): Story {
  return {
    rank: 0,
    title: "",
    url: "",
    site: null,
    points: null,
    author: null,
    age: null,
    comments: null,
    discussion: null,
  };
}

/** What the text within this element says of the story; `parent` is the class of the element that it is in. */
function fieldOf(start: Start, parent: string): string | undefined {
  if (start.name === "span") {
    return ["rank", "score", "sitestr"].find((name) => hasClass(start, name));
  }
  if (start.name !== "a") return undefined;
  if (hasClass(start, "hnuser")) return "author";
  if (parent.includes("titleline")) return "title";
  if (parent.includes("age")) return "age";
  return "link";
}

function take(story: Story, field: string, text: string): void {
  if (field === "rank") story.rank = numberIn(text);
  else if (field === "score") story.points = numberIn(text);
  else if (field === "sitestr") story.site = text;
  else if (field === "author") story.author = text;
  else if (field === "age") story.age = text;
  else if (field === "title") story.title += text;
  else if (text.includes("comment")) story.comments = numberIn(text);
  else if (text === "discuss") story.comments = 0;
}

/** Job ads link to their own page where others have the discussion. */
function finished(story: Story): Story {
  return { ...story, title: story.title.trim(), ...(story.author === null && { discussion: null }) };
}

function numberIn(text: string): number {
  return Number.parseInt(text.replaceAll(",", ""), 10) || 0;
}

function absolute(href: string, base: string): string {
  return URL.canParse(href, base) ? new URL(href, base).href : href;
}

interface Start {
  kind: "start";
  name: string;
  attributes: Record<string, string>;
}
type Piece = Start | { kind: "end"; name: string } | { kind: "text"; text: string };

function hasClass({ attributes }: Start, name: string): boolean {
  return (attributes.class ?? "").split(" ").includes(name);
}

/** Tags and the text between them. Attributes are in double quotes, as browsers write them. */
function* piecesOf(html: string): Generator<Piece> {
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf("<", at);
    const text = html.slice(at, tag === -1 ? html.length : tag);
    if (text.trim() !== "") yield { kind: "text", text: decoded(text) };
    if (tag === -1) return;
    const end = endOfTag(html, tag);
    if (html[tag + 1] === "/") yield { kind: "end", name: html.slice(tag + 2, end).toLowerCase() };
    else yield startOf(html.slice(tag + 1, end));
    at = end + 1;
  }
}

/** Where the tag's own ">" is: values may contain others. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    if (html[at] === ">") return at;
    if (html[at] !== '"') continue;
    at = html.indexOf('"', at + 1);
    if (at === -1) break;
  }
  return html.length;
}

function startOf(tag: string): Start {
  const attributes: Record<string, string> = {};
  const parts = tag.split('"');
  const name = (parts[0] ?? "").trimStart().split(/\s/, 1)[0] ?? "";
  for (let part = 0; part + 1 < parts.length; part += 2) {
    const before = (parts[part] ?? "").trimEnd();
    if (before.endsWith("=")) attributes[lastWord(before.slice(0, -1))] = decoded(parts[part + 1] ?? "");
  }
  return { kind: "start", name: name.toLowerCase(), attributes };
}

function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(" "), text.lastIndexOf("\n")) + 1);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** Browsers write no other entities than these. */
function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
