/** The browser's own accessibility tree, of the page and of its frames in their places. */
import type { CDPSession, Frame } from "playwright";
import { runInFrame } from "../browser/isolated.ts";
import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { quote } from "./render.ts";

export interface AccessibilityNode {
  /** 0 at the top. */
  depth: number;
  role: string;
  name: string;
  description?: string;
  /** ARIA states and properties, as the browser computes them. */
  properties?: Record<string, string | number | boolean>;
}

/** The parts of CDP's `AXNode` that are used. */
interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  description?: { value?: unknown };
  properties?: { name: string; value: { value?: unknown } }[];
  parentId?: string;
  childIds?: string[];
  backendDOMNodeId?: number;
}

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

/** Repeats of a parent's text, line by line. */
const REPEATS = new Set(["InlineTextBox", "LineBreak"]);
/** Their values may be secrets that the browser does not know for such: `snapshot` shows them, masked where it should. */
const FIELDS = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
/** Of CDP's `AXPropertyName`, those that only say how the tree was made. */
const LEFT_OUT = new Set([
  "focusable",
  "settable",
  "controls",
  "labelledby",
  "describedby",
  "activedescendant",
  "owns",
  "url",
  "editable",
  "multiline",
]);

/** Chromium's time grows with the square of the lines that one text takes: with so many it is some ten seconds. */
const MAX_LINES = 20_000;
/** Shorter texts take no time worth counting. Characters. */
const MIN_LENGTH = 5_000;

/** Throws `tab_gone`, and `too_large` for a text that the browser would be busy with for minutes, whoever waits for it. */
export async function accessibilityTree(tab: Tab, { signal }: { signal: AbortSignal }): Promise<AccessibilityNode[]> {
  const page = await tab.cdp();
  const children = tab.page.frames().filter((frame) => frame !== tab.page.mainFrame());
  const others = await Promise.all(children.map((frame) => sessionOf(tab, frame)));
  const sessions = [page, ...others.filter((session) => session !== undefined)];
  try {
    const frames = (await Promise.all(sessions.map(framesOf))).flat();
    await Promise.all(frames.map((frame) => assertReadable(frame, signal)));
    const trees = await Promise.all(frames.map(treeOf));
    await Promise.all(trees.slice(1).map((tree) => findOwner(tree, sessions)));
    return new Joined(trees).nodes();
  } finally {
    await Promise.all(sessions.slice(1).map((session) => session.detach().catch(() => undefined)));
  }
}

/** A frame in its page's process has no session of its own. */
async function sessionOf(tab: Tab, frame: Frame): Promise<CDPSession | undefined> {
  return await tab.page
    .context()
    .newCDPSession(frame)
    .catch(() => undefined);
}

interface TreeFrame {
  frameId: string;
  session: CDPSession;
}

interface Tree extends TreeFrame {
  nodes: AxNode[];
  /** The element that holds the frame, in its parent's session; absent for the page itself. */
  owner?: { session: CDPSession; id: number };
}

async function framesOf(session: CDPSession): Promise<TreeFrame[]> {
  const { frameTree } = await session.send("Page.getFrameTree");
  return idsIn(frameTree).map((frameId) => ({ frameId, session }));
}

async function assertReadable({ frameId, session }: TreeFrame, signal: AbortSignal): Promise<void> {
  // A frame that leaves meanwhile has no text.
  const lines = await runInFrame({ cdp: session, frameId }, mostLines, MIN_LENGTH, signal).catch(() => 0);
  signal.throwIfAborted();
  if (lines <= MAX_LINES) return;
  throw new BrowseError(
    "too_large",
    `The page has a text of some ${Math.round(lines)} lines, over the ${MAX_LINES} that the browser can make a tree of`,
    {
      hint: "Read it with `browse text`, or look at its structure with `browse snapshot`",
      details: { maxLines: MAX_LINES },
    },
  );
}

/** Runs in our world of the page, as text: how many lines would take as long in one text as all long texts do. */
function mostLines(minLength: number): number {
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  let squares = 0;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { parentElement } = text;
    if (!parentElement || (text as Text).length < minLength) continue;
    const range = document.createRange();
    range.selectNode(text);
    const { width, height } = range.getBoundingClientRect();
    const { lineHeight, fontSize } = getComputedStyle(parentElement);
    // Lines of upright writing follow each other from right to left.
    const lines = Math.max(width, height) / Math.max(1, Number.parseFloat(lineHeight) || Number.parseFloat(fontSize));
    squares += lines ** 2;
  }
  return Math.sqrt(squares);
}

/** A frame that leaves meanwhile has no tree. */
async function treeOf({ session, frameId }: TreeFrame): Promise<Tree> {
  const { nodes } = await session.send("Accessibility.getFullAXTree", { frameId }).catch(() => ({ nodes: [] }));
  return { frameId, nodes: nodes as AxNode[], session };
}

/** Only the session of the process that the parent's document is in knows. */
async function findOwner(tree: Tree, sessions: readonly CDPSession[]): Promise<void> {
  const { frameId } = tree;
  const asked = sessions.map(async (session) => {
    const { backendNodeId } = await session.send("DOM.getFrameOwner", { frameId });
    return { session, id: backendNodeId };
  });
  const owner = await Promise.any(asked).catch(() => undefined);
  if (owner) tree.owner = owner;
}

function idsIn({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(idsIn)];
}

/** Puts each frame's tree under the element that holds it. */
class Joined {
  readonly #trees: Tree[];
  readonly #nodes: AccessibilityNode[] = [];

  constructor(trees: Tree[]) {
    this.#trees = trees;
  }

  nodes(): AccessibilityNode[] {
    const [page] = this.#trees;
    if (page) this.#addTree(page, 0);
    return this.#nodes;
  }

  #addTree(tree: Tree, depth: number): void {
    const byId = new Map(tree.nodes.map((node) => [node.nodeId, node]));
    const root = tree.nodes.find(({ parentId }) => parentId === undefined);
    // Stacked here, not on the call stack: pages nest deeper than that. The next is last.
    const left = root ? [{ node: root, depth }] : [];
    for (let next = left.pop(); next; next = left.pop()) {
      const { node } = next;
      const line = this.#lineOf(node, next.depth);
      if (line) this.#nodes.push(line);
      const below = line ? next.depth + 1 : next.depth;
      for (const frame of this.#framesAt(tree, node)) this.#addTree(frame, below);
      if (line && FIELDS.has(line.role)) continue;
      for (const id of (node.childIds ?? []).toReversed()) {
        const child = byId.get(id);
        if (child) left.push({ node: child, depth: below });
      }
    }
  }

  #framesAt({ session }: Tree, { backendDOMNodeId }: AxNode): Tree[] {
    if (backendDOMNodeId === undefined) return [];
    return this.#trees.filter(({ owner }) => owner?.session === session && owner.id === backendDOMNodeId);
  }

  #lineOf({ ignored, role, name, description, properties = [] }: AxNode, depth: number): AccessibilityNode | undefined {
    const shownRole = String(role?.value ?? "");
    if (ignored || shownRole === "" || REPEATS.has(shownRole)) return undefined;
    const line: AccessibilityNode = { depth, role: shownRole, name: String(name?.value ?? "") };
    if (shownRole === "generic" && line.name === "") return undefined;
    if (description?.value) line.description = String(description.value);
    const shown = properties.flatMap((property) => entryOf(property));
    if (shown.length > 0) line.properties = Object.fromEntries(shown);
    return line;
  }
}

function entryOf({ name, value: { value } }: { name: string; value: { value?: unknown } }) {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const saysNothing = value === false || value === "" || value === "false";
  return !isPlain || saysNothing || LEFT_OUT.has(name) ? [] : [[name, value] as const];
}

/** One line a node, two spaces a level. */
export function renderAccessibility(nodes: readonly AccessibilityNode[]): string {
  return nodes
    .map(({ depth, role, name, description, properties = {} }) => {
      const parts = [role];
      if (name) parts.push(quote(name, 300));
      if (description) parts.push(`description=${quote(description, 120)}`);
      for (const [key, value] of Object.entries(properties)) parts.push(value === true ? key : `${key}=${value}`);
      return `${"  ".repeat(Math.min(depth, 40))}${parts.join(" ")}`;
    })
    .join("\n");
}
