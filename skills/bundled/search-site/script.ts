/** What a site's own search box finds. */
import type { Browse, Commands } from "./client.ts";

export interface Result {
  title: string;
  url: string;
}

export interface Found {
  url: string;
  query: string;
  /** Label of the box that was used. */
  box: string;
  results: Result[];
  /** What the page says of how many there are. */
  said: string | null;
}

interface Args {
  url: string;
  query: string;
}

export type Node = Commands["snapshot"]["result"]["nodes"][number];

const MAX_NODES = 20_000;
const MAX_RESULTS = 100;
/** Looks at a page that shows nothing yet: many fetch their results after they have loaded. */
const LOOKS = 3;

export async function main(
  browse: Browse,
  { url, query }: Args,
  { log }: { log: (message: string) => void },
): Promise<Found> {
  const arrived = await browse.goto({ url, wait: "load" });
  if (arrived.status !== undefined && arrived.status >= 400) {
    throw new Error(`${arrived.url} answered with status ${arrived.status}`);
  }
  const { box, button, nodes } = await shownBox(browse);
  log(`Searching with ${box.role} "${labelOf(box)}"`);
  await submit(browse, { box, button, query });
  const before = new Set(nodes.flatMap((node) => (node.url === undefined ? [] : [node.url])));
  const { page, results, said } = await seenResults(browse, { before, query });
  if (results.length === 0 && said === null) log("No link was seen that looks like a result");
  return { url: page, query, box: labelOf(box), results, said };
}

interface Box {
  box: Node;
  button: Node | undefined;
  nodes: readonly Node[];
}

/** The search box of the page, after pressing what shows it where none is seen. */
async function shownBox(browse: Browse): Promise<Box> {
  const { nodes } = await browse.snapshot({ max: MAX_NODES });
  const box = findBox(nodes);
  if (box) return { box, button: buttonFor(box, nodes), nodes };
  const opener = nodes.find((node) => isUsable(node) && ["button", "link"].includes(node.role) && meansSearch(node));
  if (!opener?.ref) throw new Error("No search box was seen on the page, and no button that would show one");
  await browse.click({ target: opener.ref });
  const { nodes: after } = await browse.snapshot({ max: MAX_NODES });
  const shown = findBox(after);
  if (!shown) throw new Error(`No search box was seen on the page, not after pressing "${labelOf(opener)}" either`);
  return { box: shown, button: buttonFor(shown, after), nodes: after };
}

async function submit(browse: Browse, { box, button, query }: Omit<Box, "nodes"> & { query: string }): Promise<void> {
  await browse.fill({ target: box.ref ?? "", value: query });
  await browse.focus({ target: box.ref ?? "" });
  const { effect } = await browse.press({ key: "Enter" });
  if (!effect.nothing) return;
  const pressed = button?.ref === undefined ? undefined : await browse.click({ target: button.ref });
  if (!pressed || pressed.effect.nothing)
    throw new Error(`Nothing happened after "${query}" and Enter in the search box`);
}

async function seenResults(browse: Browse, { before, query }: { before: ReadonlySet<string>; query: string }) {
  for (let look = 1; ; look++) {
    // A page that never comes to rest shows what it has.
    await browse.wait({ idle: true }, { timeoutMs: 5_000 }).catch(() => undefined);
    const { nodes, url } = await browse.snapshot({ max: MAX_NODES });
    const results = resultsOf(nodes, { before, query, page: url });
    const said = saidOf(nodes);
    if (results.length > 0 || said !== null || look === LOOKS) return { page: url, results, said };
  }
}

/** The field that is most surely a search box; the first of those that are equally so. */
export function findBox(nodes: readonly Node[]): Node | undefined {
  let best: { node: Node; score: number } | undefined;
  for (const [node, ancestors] of withAncestors(nodes)) {
    if (!["searchbox", "textbox", "combobox"].includes(node.role) || !isUsable(node)) continue;
    if (["password", "email", "tel"].includes(node.type ?? "")) continue;
    const isSearch = node.role === "searchbox" || node.type === "search";
    const score =
      (isSearch ? 4 : 0) + (ancestors.some(({ role }) => role === "search") ? 3 : 0) + (meansSearch(node) ? 2 : 0);
    if (score > (best?.score ?? 0)) best = { node, score };
  }
  return best?.node;
}

/** The button that goes with the box: the next one after it, before any other field. */
export function buttonFor(box: Node, nodes: readonly Node[]): Node | undefined {
  const after = nodes.slice(nodes.indexOf(box) + 1, nodes.indexOf(box) + 10);
  const next = after.find(({ role }) => ["button", "textbox", "combobox", "searchbox", "heading"].includes(role));
  return next?.role === "button" && isUsable(next) ? next : undefined;
}

function isUsable({ ref, states = {}, hidden }: Node): boolean {
  return ref !== undefined && hidden === undefined && !states.disabled && !states.readonly;
}

function labelOf({ name, placeholder = "" }: Node): string {
  return name || placeholder;
}

const SEARCH_WORDS = [
  ...[
    "search",
    "find",
    "query",
    "such",
    "recherche",
    "chercher",
    "buscar",
    "busca",
    "pesquis",
    "cerca",
    "ricerca",
    "zoek",
  ],
  ...[
    "sök",
    "søg",
    "søk",
    "haku",
    "szuk",
    "hledat",
    "keres",
    "поиск",
    "пошук",
    "ara",
    "αναζ",
    "検索",
    "搜",
    "검색",
    "بحث",
  ],
];

/** Does a word of its label begin like one for search? */
function meansSearch(node: Node): boolean {
  const label = `${node.name} ${node.placeholder ?? ""}`.toLowerCase();
  const words = label.split(/[^\p{L}\p{N}]+/u);
  return words.some((word) =>
    SEARCH_WORDS.some((known) => (known.length > 3 ? word.startsWith(known) : word === known)),
  );
}

/** Each node with what it is in, the nearest last. */
function* withAncestors(nodes: readonly Node[]): Generator<[node: Node, ancestors: readonly Node[]]> {
  const path: Node[] = [];
  for (const node of nodes) {
    while ((path.at(-1)?.depth ?? -1) >= node.depth) path.pop();
    yield [node, path];
    path.push(node);
  }
}

interface Seen {
  /** Addresses that the page linked to before the search. */
  before: ReadonlySet<string>;
  query: string;
  /** Address of the page with the results. */
  page: string;
}

const MARGINS = ["navigation", "banner", "contentinfo", "complementary", "search"];
const ENTRIES = ["listitem", "article", "row", "gridcell"];

/** The links that head entries, in the order of the page, each address once. */
export function resultsOf(nodes: readonly Node[], seen: Seen): Result[] {
  const hasMain = nodes.some(({ role }) => role === "main");
  const entries = new Map<Node, Link[]>();
  const loose: Link[] = [];
  for (const [node, ancestors] of withAncestors(nodes)) {
    const link = linkOf(node, ancestors);
    if (!link || !isResult(link, { ...seen, hasMain })) continue;
    const { entry } = link;
    if (entry) entries.set(entry, [...(entries.get(entry) ?? []), link]);
    else loose.push(link);
  }
  const heads = [...entries.values()].map((links) => links.find(({ isHeading }) => isHeading) ?? links[0]);
  const headings = loose.filter(({ isHeading }) => isHeading);
  const found = [...heads, ...headings].filter((link) => link !== undefined);
  const chosen = found.length > 0 ? found : loose.filter(({ url }) => !seen.before.has(url));
  const order = new Map(nodes.map((node, index) => [node, index]));
  const sorted = chosen.toSorted((a, b) => (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0));
  const byUrl = new Map(sorted.map(({ title, url }) => [url, title]));
  return [...byUrl].slice(0, MAX_RESULTS).map(([url, title]) => ({ title, url }));
}

interface Link extends Result {
  node: Node;
  /** Roles of what it is in. */
  within: readonly string[];
  isHeading: boolean;
  entry: Node | undefined;
}

function linkOf(node: Node, ancestors: readonly Node[]): Link | undefined {
  if (node.role !== "link" || node.url === undefined || node.name === "" || node.hidden) return undefined;
  const within = ancestors.map(({ role }) => role);
  const entry = ancestors.findLast(({ role }) => ENTRIES.includes(role));
  return { title: node.name, url: node.url, node, within, isHeading: within.includes("heading"), entry };
}

function isResult({ title, url, within }: Link, seen: Seen & { hasMain: boolean }): boolean {
  if (!/^https?:/.test(url) || within.some((role) => MARGINS.includes(role))) return false;
  if (seen.hasMain && !within.includes("main")) return false;
  if (isSameSearch(url, seen)) return false;
  const words = seen.query.toLowerCase().split(/\s+/);
  return !seen.before.has(url) || words.some((word) => title.toLowerCase().includes(word));
}

/** Another page, order or filter of the results. */
function isSameSearch(url: string, { page, query }: Seen): boolean {
  if (!URL.canParse(url) || !URL.canParse(page)) return false;
  const [link, here] = [new URL(url), new URL(page)];
  if (link.origin !== here.origin || link.pathname !== here.pathname) return false;
  const isAnchor = link.search === here.search;
  return isAnchor || [...link.searchParams.values()].some((value) => value.toLowerCase() === query.toLowerCase());
}

const COUNTS = [
  /\b(?:no|0|zero) (?:\w+ )?(?:results?|matches|hits|products|articles|entries)\b/i,
  /\b(?:nothing|no posts?|no pages?) (?:was |were )?found\b/i,
  /\bdid(?:n['’]t| not) (?:match|find|return)\b/i,
  /\bkeine? (?:\w+ )?(?:ergebnisse|treffer|produkte)\b/i,
  /\baucun (?:\w+ )?résultat/i,
  /\b(?:sin|no hay|ningún) (?:\w+ )?resultados?\b/i,
  /\b[\d.,]{1,12}\+? (?:results?|matches|hits|treffer|ergebnisse|résultats|resultados)\b/i,
];
/** Of a sentence that tells a count. */
const MAX_SAID = 300;

/** What the page itself says of how many results there are, outside of links. */
export function saidOf(nodes: readonly Node[]): string | null {
  for (const { role, name, text = "", hidden } of nodes) {
    const said = text || (["link", "button", "row", "option"].includes(role) ? "" : name);
    if (said === "" || said.length > MAX_SAID || hidden) continue;
    if (COUNTS.some((count) => count.test(said))) return said;
  }
  return null;
}
