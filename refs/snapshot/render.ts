/** A snapshot as lines of text: one a node, two spaces a level. */
import { nameShown } from "../../security/content/invisible.ts";
import type { ElementStates } from "../page/protocol.ts";
import { MAX_NAME } from "../page/snapshot/shown_name.ts";
import type { Snapshot, SnapshotNode, SnapshotOptions } from "./snapshot.ts";

/** Running text tells more than a name does. */
export const MAX_TEXT = 300;
/** An answer's budget. UTF-16 units, near enough to bytes. */
const MAX_OUTPUT = 200_000;

export interface RenderOptions {
  /** Addresses only where the name does not tell the link apart, or where it leads to another site. */
  brief?: boolean;
  /** With which it was taken: one of them may be why it is empty, or has more than is shown. */
  flags?: Pick<SnapshotOptions, "interactive" | "compact" | "viewport" | "clickable">;
}

export function renderSnapshot(snapshot: Snapshot, { brief = false, flags = {} }: RenderOptions = {}): string {
  const lines = [headerOf(snapshot)];
  if (snapshot.nodes.length === 0) return [...lines, emptyAdvice(snapshot, flags)].join("\n");
  const base = snapshot.frame ?? snapshot.url;
  const needsUrl = brief ? linksToldApartByUrl(snapshot.nodes, base) : undefined;
  let size = 0;
  let shown = 0;
  for (const node of snapshot.nodes) {
    const hidesUrl = needsUrl !== undefined && node.url !== undefined && !needsUrl.has(node);
    const line = "  ".repeat(Math.min(node.depth, 40)) + lineOf(hidesUrl ? withoutUrl(node) : node, base);
    size += line.length + 1;
    if (size > MAX_OUTPUT) break;
    lines.push(line);
    shown++;
  }
  const left = snapshot.total - shown;
  if (left > 0) {
    const narrower = [!flags.interactive && "-i", !flags.compact && "-c", "-d N", "-s <selector>"];
    const ways = alternatives(narrower.filter((way) => typeof way === "string"));
    lines.push(`… ${left} more: narrow it with ${ways}, or ask for more with --max N`);
  }
  return lines.join("\n");
}

function linksToldApartByUrl(nodes: readonly SnapshotNode[], base: string): Set<SnapshotNode> {
  const links = nodes.filter(({ url }) => url !== undefined);
  const counts = new Map<string, number>();
  for (const { name } of links) counts.set(name, (counts.get(name) ?? 0) + 1);
  const origin = URL.parse(base)?.origin;
  const leaves = (url: string) => URL.parse(url)?.origin !== origin;
  return new Set(links.filter(({ name, url = "" }) => name === "" || counts.get(name) !== 1 || leaves(url)));
}

function withoutUrl({ url: _, ...node }: SnapshotNode): SnapshotNode {
  return node;
}

/** One node's line without its indentation; also what `find` searches. `base` is the address it is in. `maxName` in characters. */
export function lineOf(node: SnapshotNode, base: string, { maxName = MAX_NAME } = {}): string {
  if (node.role === "text") return `${quote(node.name, MAX_TEXT)}${hiddenMark(node)}`;
  const parts = [
    `${node.ref ? `${node.ref} ` : ""}[${node.clickable && node.role === "clickable" ? node.clickable : node.role}]`,
  ];
  if (node.name && !node.quiet) parts.push(quote(node.name, maxName));
  if (node.type) parts.push(`type=${node.type}`);
  if (node.value !== undefined) parts.push(`value=${node.value === "•••" ? node.value : quote(node.value, MAX_NAME)}`);
  if (node.placeholder !== undefined && node.value === undefined)
    parts.push(`placeholder=${quote(node.placeholder, MAX_NAME)}`);
  if (node.states) parts.push(...stateWords(node.states));
  if (node.clickable && node.role !== "clickable") parts.push(node.clickable);
  if (node.url !== undefined) parts.push(`→ ${shortUrl(node.url, base)}`);
  if (node.within) parts.push(`in ${quote(node.within, MAX_NAME)}`);
  if (node.description) parts.push(`description=${quote(node.description, MAX_NAME)}`);
  if (node.markup) parts.push(`markup=${quote(node.markup, MAX_NAME)}`);
  if (node.failed) parts.push(`(failed: ${node.failed})`);
  if (node.unreachable) parts.push(`(not readable: ${node.unreachable})`);
  const text = node.text === undefined ? "" : `: ${quote(node.text, MAX_TEXT)}`;
  return parts.join(" ") + hiddenMark(node) + text;
}

export function headerOf({ title, url, tab, shown, total, frame, scope, modal }: Snapshot): string {
  const count = shown === total ? `${total} ${total === 1 ? "node" : "nodes"}` : `${shown} of ${total} nodes`;
  const where = [
    frame === undefined ? "" : ` · frame ${escapeText(frame, MAX_NAME)}`,
    scope ? ` · inside ${scope}` : "",
    modal ? " · topmost dialog" : "",
  ];
  return `${quote(title, MAX_NAME)} ${escapeText(url, MAX_TEXT)} · ${tab} · ${count}${where.join("")}`;
}

function emptyAdvice({ title, url, modal, pdf, scope }: Snapshot, flags: NonNullable<RenderOptions["flags"]>): string {
  if (pdf) return "A PDF, which has no elements. `browse text` reads it, `browse screenshot` shows it";
  if (modal === false) return "No dialog is open. Leave out --modal for the page itself";
  const { interactive, compact, viewport, clickable } = flags;
  const what = interactive
    ? `Nothing interactive${clickable ? " or clickable" : ""}`
    : clickable
      ? "Nothing that only its listeners or looks show to be clickable"
      : "Nothing to show";
  const where = `${scope ? ` inside ${scope}` : ""}${viewport ? " in view" : ""}`;
  const remedies = [
    scope && "without -s for the rest of the page",
    viewport && "without -v for what is out of view",
    interactive ? "without -i for text and structure" : compact && "without -c for nameless structure",
    interactive && !clickable && "without --no-clickable for what reacts without a role",
    !interactive && !clickable && "with -C for clickable things without a role",
    clickable && !interactive && "with -i for all that can be operated",
  ].filter((remedy) => typeof remedy === "string");
  const advice = [
    `${what}${where} on ${quote(title, MAX_NAME)} (${escapeText(url, MAX_NAME)})`,
    ...(remedies.length > 0 ? [`Try it ${alternatives(remedies)}`] : []),
    ...(interactive || clickable ? [] : ["`browse screenshot` shows what there is to see"]),
  ];
  return advice.join(". ");
}

function alternatives(texts: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(texts);
}

function stateWords(states: ElementStates): string[] {
  const { checked, pressed, selected, expanded, disabled, required, readonly, editable } = states;
  const { invalid, active, current, level } = states;
  const words: string[] = [];
  if (checked) words.push(checked === "mixed" ? "checked=mixed" : "checked");
  if (pressed !== undefined) words.push(pressed === "mixed" ? "pressed=mixed" : pressed ? "pressed" : "not-pressed");
  if (selected) words.push("selected");
  if (expanded !== undefined) words.push(expanded ? "expanded" : "collapsed");
  if (disabled) words.push("disabled");
  if (required) words.push("required");
  if (readonly) words.push("readonly");
  if (editable) words.push("editable");
  if (invalid) words.push("invalid");
  if (active) words.push("focused");
  if (current) words.push(current === "true" ? "current" : `current=${escapeText(current, 20)}`);
  if (level) words.push(`level=${level}`);
  return words;
}

/** What only assistive technology is not told of can be seen, and is called by its own word. */
function hiddenMark({ hidden }: SnapshotNode): string {
  if (!hidden) return "";
  return hidden === "aria-hidden" ? " aria-hidden" : ` hidden(${hidden})`;
}

function shortUrl(url: string, base: string): string {
  if (url.startsWith("javascript:")) return "javascript:";
  if (url.startsWith("data:")) return `${escapeText(url, 30)}`;
  const here = URL.parse(base);
  const there = URL.parse(url);
  if (!here || !there || here.origin !== there.origin || here.origin === "null") return escapeText(url, MAX_NAME);
  const path = there.pathname + there.search;
  const isSamePage = path === here.pathname + here.search && there.hash !== "";
  return escapeText(isSamePage ? there.hash : path + there.hash, MAX_NAME);
}

export function quote(text: string, max: number): string {
  return `"${escapeText(text, max, /["\\]/g)}"`;
}

/** Nothing in it has to be escaped: what most text is. */
const SAFE = /^[ !#-[\]-~]*$/;

function escapeText(text: string, max: number, quotes?: RegExp): string {
  if (text.length <= max && SAFE.test(text)) return text;
  const cut = cutText(text, max).toWellFormed();
  return nameShown(quotes ? cut.replace(quotes, "\\$&") : cut);
}

/** Cut at code points, never in the middle of one. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  // A code point takes two units at most.
  const points = Array.from(text.slice(0, max * 2 + 2));
  return points.length <= max ? text : `${points.slice(0, max).join("")}…`;
}
