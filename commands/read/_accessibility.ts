/** The browser's own accessibility tree, of the page and of its frames in their places. */
import type { CDPSession, Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { quote } from "../../refs/snapshot/render.ts";
import { assertReadable } from "./_long_texts.ts";
import { assertFewNodes } from "./_many_nodes.ts";

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

/**
 * Throws `tab_gone`, and `too_large` for so many nodes, or so long a text, that the browser would be busy with them for
 * minutes, and the daemon with what it says of them, whoever waits for it.
 */
export async function accessibilityTree(tab: Tab): Promise<AccessibilityNode[]> {
  const page = await tab.cdp();
  const children = tab.page.frames().filter((frame) => frame !== tab.page.mainFrame());
  const others = await Promise.all(children.map((frame) => sessionOf(tab, frame)));
  const sessions = [page, ...others.filter((session) => session !== undefined)];
  try {
    const frames = (await Promise.all(sessions.map(framesOf))).flat();
    await assertFewNodes(frames);
    await Promise.all(frames.map(assertReadable));
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

/** A page chooses some of them itself: only plain words go without quotes. */
function shownValue(value: string | number | boolean): string {
  return typeof value === "string" && !/^[\w.-]{1,40}$/.test(value) ? quote(value, 120) : String(value);
}

/** One line a node, two spaces a level. */
export function renderAccessibility(nodes: readonly AccessibilityNode[]): string {
  return nodes
    .map(({ depth, role, name, description, properties = {} }) => {
      const parts = [role];
      if (name) parts.push(quote(name, 300));
      if (description) parts.push(`description=${quote(description, 120)}`);
      for (const [key, value] of Object.entries(properties))
        parts.push(value === true ? key : `${key}=${shownValue(value)}`);
      return `${"  ".repeat(Math.min(depth, 40))}${parts.join(" ")}`;
    })
    .join("\n");
}
