/** The pages of one site, by its sitemap and links, as robots.txt allows. */
import type { Browse } from "./client.ts";

export interface Page {
  url: string;
  status: number | null;
  title: string;
  content?: string;
}

export interface Crawl {
  site: string;
  robots: "respected" | "none" | "unavailable" | "ignored";
  sitemaps: string[];
  pages: Page[];
  failed: { url: string; reason: string }[];
  disallowed: number;
  left: number;
  stopped: "max" | "size" | null;
}

interface Args {
  url: string;
  max?: string | number;
  concurrency?: string | number;
  from?: string;
  content?: string;
  robots?: string;
}

interface Options {
  start: URL;
  max: number;
  concurrency: number;
  from: string;
  content: string;
  robots: string;
}

type Log = (message: string) => void;

const MAX_PAGES = 5_000;
const MAX_TABS = 16;
/** Of a result: it may have 1 MB, and what is beside the pages has its place too. Characters. */
const MAX_RESULT = 700_000;
/** Addresses that wait; those of a calendar never end. */
const MAX_KNOWN = 50_000;
const MAX_SITEMAPS = 50;
const MAX_DELAY_MS = 30_000;
const VISIT_TIMEOUT_MS = 30_000;
/** Of the failures that are told one by one. */
const MAX_FAILED = 500;

export async function main(browse: Browse, args: Args, { log }: { log: Log }): Promise<Crawl> {
  const options = optionsOf(args);
  const rules = options.robots === "ignore" ? undefined : await rulesOf(browse, options.start);
  const crawl = new Crawler(browse, { ...options, rules, log });
  if (rules !== "unavailable") await crawl.run();
  return crawl.result();
}

function optionsOf({
  url,
  max = 100,
  concurrency = 4,
  from = "both",
  content = "nothing",
  robots = "respect",
}: Args): Options {
  const isWhole = /^[a-z][a-z+.-]*:\/\//i.test(url);
  const text = isWhole ? url : `${/^(?:localhost|127\.)/.test(url) ? "http" : "https"}://${url}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`${JSON.stringify(url)} is no web address`);
  assertOneOf("from", from, ["sitemap", "links", "both"]);
  assertOneOf("content", content, ["nothing", "text", "markdown"]);
  assertOneOf("robots", robots, ["respect", "ignore"]);
  return {
    start: new URL(text),
    max: wholeNumber("max", max, MAX_PAGES),
    concurrency: wholeNumber("concurrency", concurrency, MAX_TABS),
    ...{ from, content, robots },
  };
}

function assertOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new Error(`"${name}" is one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
}

function wholeNumber(name: string, value: string | number, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Error(`"${name}" is a whole number from 1 to ${most}, not ${JSON.stringify(value)}`);
}

/** Rules of the site; `unavailable` where its server fails to tell them, which keeps everything away (RFC 9309, 2.3.1.4). */
type Rules = Robots | "none" | "unavailable";

/** Of jobs that one process does after another, the first asks for many. */
const knownRules = new Map<string, { rules: Rules; until: number }>();
const RULES_MS = 10 * 60_000;

async function rulesOf(browse: Browse, start: URL): Promise<Rules> {
  const known = knownRules.get(start.origin);
  if (known && Date.now() < known.until) return known.rules;
  const rules = await readRobots(browse, start);
  // One that could not be had is asked for again.
  if (rules !== "unavailable") knownRules.set(start.origin, { rules, until: Date.now() + RULES_MS });
  return rules;
}

async function readRobots(browse: Browse, start: URL): Promise<Rules> {
  const url = new URL("/robots.txt", start).href;
  try {
    const { status = 0 } = await browse.goto({ url }, { noSettle: true });
    if (status >= 500) return "unavailable";
    if (status >= 400) return "none";
    return parseRobots(shownText((await browse.html()).html));
  } catch {
    return "unavailable";
  }
}

/** Visits pages side by side, each tab by a lane of its own. */
class Crawler {
  readonly #browse: Browse;
  readonly #options: Options & { rules: Rules | undefined; log: Log };
  readonly #known = new Set<string>();
  readonly #waiting: string[] = [];
  readonly #pages: Page[] = [];
  readonly #failed: { url: string; reason: string }[] = [];
  readonly #sitemaps: string[] = [];
  #disallowed = 0;
  #taken = 0;
  #size = 0;
  #working = 0;
  #stopped: "max" | "size" | null = null;
  #nextAt = 0;
  /** Wakes the lanes that have nothing to do until another finds some. */
  #news = Promise.withResolvers<void>();

  constructor(browse: Browse, options: Options & { rules: Rules | undefined; log: Log }) {
    this.#browse = browse;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { start, from, concurrency, max } = this.#options;
    this.#add(start.href);
    // One page needs no list of the others.
    if (from !== "links" && max > 1) await this.#readSitemaps();
    // By its name, since a tab that is opened becomes the current one.
    const { tabs } = await this.#browse.tabs();
    const own = tabs.find(({ current }) => current)?.id;
    const lanes = Array.from({ length: Math.min(concurrency, max) }, (_, lane) => (lane === 0 ? own : undefined));
    await Promise.all(lanes.map(async (tab) => await this.#lane(tab)));
  }

  result(): Crawl {
    const { start, rules } = this.#options;
    const robots = rules === undefined ? "ignored" : typeof rules === "string" ? rules : "respected";
    const left = this.#waiting.length;
    return {
      site: start.origin,
      robots,
      sitemaps: this.#sitemaps,
      pages: this.#pages,
      failed: this.#failed.slice(0, MAX_FAILED),
      disallowed: this.#disallowed,
      left,
      stopped: left > 0 ? this.#stopped : null,
    };
  }

  /** Works in a tab that it opens when there is something for it, or in the one that the run has. */
  async #lane(own: string | undefined): Promise<void> {
    let tab = own;
    for (let url = await this.#next(); url !== undefined; url = await this.#next()) {
      try {
        tab ??= (await this.#browse.newtab({})).id;
        await this.#visit(url, tab);
      } finally {
        this.#working--;
        this.#wake();
      }
    }
    if (tab !== undefined && tab !== own) await this.#browse.closetab({ id: tab });
  }

  /** Undefined when nothing is left, or no more is to be visited. */
  async #next(): Promise<string | undefined> {
    for (;;) {
      if (this.#taken >= this.#options.max) this.#stopped ??= "max";
      if (this.#stopped) return undefined;
      const url = this.#waiting.shift();
      if (url !== undefined) {
        this.#taken++;
        this.#working++;
        await this.#turn();
        return url;
      }
      if (this.#working === 0) return undefined;
      await this.#news.promise;
    }
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Waits as long as the site wants between two requests. */
  async #turn(): Promise<void> {
    const { rules } = this.#options;
    const delayMs = typeof rules === "object" ? Math.min(rules.delayMs, MAX_DELAY_MS) : 0;
    if (delayMs === 0) return;
    const at = Math.max(Date.now(), this.#nextAt);
    this.#nextAt = at + delayMs;
    await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
  }

  async #visit(url: string, tab: string): Promise<void> {
    const { content, from, log } = this.#options;
    const calls = [
      { method: "goto", params: { url } },
      { method: "title" },
      ...(from === "sitemap" ? [] : [{ method: "links" }]),
      ...(content === "nothing" ? [] : [{ method: content }]),
    ];
    const answers = await this.#browse.batch(calls, { tab, noSettle: true, timeoutMs: VISIT_TIMEOUT_MS });
    const answer = (method: string) => answers[calls.findIndex((call) => call.method === method)];
    const gone = answers[0];
    const arrived = gone?.result;
    const why = gone?.error?.message ?? (arrived ? this.#elsewhere(arrived) : "No answer");
    if (why !== undefined) {
      this.#failed.push({ url, reason: why });
      return;
    }
    const at = normalized(String(arrived?.url), url) ?? url;
    if (at !== url && !this.#isNew(at)) return;
    const title = answer("title")?.result?.title ?? "";
    const said = answer(content)?.result?.[content];
    this.#keep({
      url: at,
      status: typeof arrived?.status === "number" ? arrived.status : null,
      title: String(title).slice(0, 300),
      ...(typeof said === "string" && { content: said }),
    });
    const links = (answer("links")?.result?.links ?? []) as { url: string }[];
    for (const link of links) this.#add(link.url);
    if (this.#pages.length % 100 === 0) log(`${this.#pages.length} pages`);
  }

  /** Why what came is no page of the site. */
  #elsewhere({ url, shows }: Record<string, unknown>): string | undefined {
    if (shows !== undefined) return "It answered without a page";
    if (!URL.canParse(String(url)) || new URL(String(url)).host !== this.#options.start.host)
      return `It leads to ${url}`;
    return undefined;
  }

  #keep(page: Page): void {
    const size = JSON.stringify(page).length;
    if (this.#size + size > MAX_RESULT) {
      this.#stopped = "size";
      this.#waiting.push(page.url);
      return;
    }
    this.#size += size;
    this.#pages.push(page);
  }

  /** Has it visited, if it is a page of the site that is not known yet and that may be. */
  #add(address: string): void {
    const { start } = this.#options;
    const url = normalized(address, start.href);
    if (url === undefined || new URL(url).host !== start.host || isFile(url) || !this.#isNew(url)) return;
    this.#waiting.push(url);
    this.#wake();
  }

  /** Is it one that may be visited, and met for the first time? */
  #isNew(url: string): boolean {
    const { rules } = this.#options;
    if (this.#known.has(url) || this.#known.size >= MAX_KNOWN) return false;
    this.#known.add(url);
    if (typeof rules !== "object" || isAllowed(rules, url)) return true;
    this.#disallowed++;
    return false;
  }

  async #readSitemaps(): Promise<void> {
    const { start, rules } = this.#options;
    const named = typeof rules === "object" ? rules.sitemaps : [];
    const waiting = named.length > 0 ? [...named] : [new URL("/sitemap.xml", start).href];
    for (let read = 0; read < MAX_SITEMAPS; read++) {
      const url = waiting.shift();
      if (url === undefined) return;
      if (!URL.canParse(url) || new URL(url).host !== start.host) continue;
      const { sitemaps, pages } = await this.#readSitemap(url);
      waiting.push(...sitemaps);
      for (const page of pages) this.#add(page);
    }
  }

  /** One that is not there, or packed, has nothing to tell. */
  async #readSitemap(url: string): Promise<Sitemap> {
    try {
      const { status = 0 } = await this.#browse.goto({ url }, { noSettle: true });
      if (status >= 400) return { sitemaps: [], pages: [] };
      const sitemap = parseSitemap((await this.#browse.html()).html);
      if (sitemap.sitemaps.length + sitemap.pages.length > 0) this.#sitemaps.push(url);
      return sitemap;
    } catch (error) {
      this.#options.log(`Cannot read ${url}: ${error instanceof Error ? error.message : error}`);
      return { sitemaps: [], pages: [] };
    }
  }
}

/** Without its fragment; undefined for what is no address. */
export function normalized(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  url.hash = "";
  return url.href;
}

const FILES = [
  ...[
    "pdf",
    "zip",
    "gz",
    "tgz",
    "bz2",
    "7z",
    "rar",
    "dmg",
    "exe",
    "msi",
    "apk",
    "iso",
    "csv",
    "xls",
    "xlsx",
    "doc",
    "docx",
  ],
  ...[
    "ppt",
    "pptx",
    "odt",
    "epub",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "avif",
    "svg",
    "ico",
    "mp3",
    "mp4",
    "webm",
    "mov",
  ],
  ...["avi", "wav", "ogg", "woff", "woff2", "ttf", "css", "js", "mjs", "json", "xml", "rss", "atom"],
];

/** Does its name say that it is no page? */
export function isFile(url: string): boolean {
  const { pathname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 && FILES.includes(name.slice(dot + 1).toLowerCase());
}

export interface Robots {
  rules: { allows: boolean; pattern: string }[];
  delayMs: number;
  sitemaps: string[];
}

/** By RFC 9309: the groups for `agent`, else those for everybody. */
export function parseRobots(text: string, agent = "browse"): Robots {
  const groups: { agents: string[]; rules: Robots["rules"]; delayMs: number }[] = [];
  const sitemaps: string[] = [];
  let isBeginning = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [field, value] = fieldIn(line);
    const group = groups.at(-1);
    if (field === "sitemap") sitemaps.push(value);
    if (field === "user-agent") {
      if (isBeginning) group?.agents.push(value.toLowerCase());
      else groups.push({ agents: [value.toLowerCase()], rules: [], delayMs: 0 });
      isBeginning = true;
      continue;
    }
    if (field === "allow" || field === "disallow") {
      if (value !== "") group?.rules.push({ allows: field === "allow", pattern: value });
      isBeginning = false;
    }
    if (field === "crawl-delay" && group) {
      group.delayMs = Math.max(0, Number(value) * 1_000 || 0);
      isBeginning = false;
    }
  }
  const own = groups.filter(({ agents }) => agents.includes(agent));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const delayMs = Math.max(0, ...chosen.map((group) => group.delayMs));
  return { rules: chosen.flatMap(({ rules }) => rules), delayMs, sitemaps };
}

function fieldIn(line: string): [field: string, value: string] {
  const told = line.split("#", 1)[0] ?? "";
  const colon = told.indexOf(":");
  return colon === -1 ? ["", ""] : [told.slice(0, colon).trim().toLowerCase(), told.slice(colon + 1).trim()];
}

/** The longest pattern that fits decides; of two that are as long, the one that allows. */
export function isAllowed({ rules }: Pick<Robots, "rules">, url: string): boolean {
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  if (path === "/robots.txt") return true;
  const fitting = rules.filter(({ pattern }) => fits(path, pattern));
  const longest = Math.max(0, ...fitting.map(({ pattern }) => pattern.length));
  const last = fitting.filter(({ pattern }) => pattern.length === longest);
  return last.length === 0 || last.some(({ allows }) => allows);
}

/** `*` stands for anything, and `$` at the end for the end. */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/** What a file of plain text is shown as. */
export function shownText(html: string): string {
  const start = html.indexOf("<pre");
  const end = html.lastIndexOf("</pre>");
  return start === -1 || end === -1 ? "" : decoded(html.slice(html.indexOf(">", start) + 1, end));
}

export interface Sitemap {
  sitemaps: string[];
  pages: string[];
}

/** The addresses in a sitemap or an index of sitemaps, as the browser shows it; in one of plain text, one a line. */
export function parseSitemap(html: string): Sitemap {
  const isIndex = html.includes("<sitemapindex");
  const found: string[] = [];
  for (let at = html.indexOf("<loc>"); at !== -1; at = html.indexOf("<loc>", at)) {
    const end = html.indexOf("</loc>", at);
    if (end === -1) break;
    found.push(decoded(html.slice(at + "<loc>".length, end)).trim());
    at = end;
  }
  if (found.length === 0) found.push(...shownText(html).split(/\s+/));
  const urls = found.filter((text) => /^https?:\/\//.test(text) && URL.canParse(text)).slice(0, MAX_KNOWN);
  return isIndex ? { sitemaps: urls, pages: [] } : { sitemaps: [], pages: urls };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
