/** A page as a tree of lines with refs: every frame read at once, each child's lines put under its frame element. */

import type { Frame } from "playwright";
import { frameFault } from "../../browser/driver/network_errors.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import type { HiddenTexts } from "../../security/content/hidden_text.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { resolve } from "../find/target.ts";
import { framesUnder } from "../frames/frames.ts";
import type {
  DocumentId,
  ElementNumber,
  ElementStates,
  HiddenReason,
  ReadNode,
  ReadOptions,
} from "../page/protocol.ts";
import { type RefTable, refsOf } from "../ref_table.ts";
import { showsPdf } from "./pdf_viewer.ts";
import { type FrameScope, type Readings, readFrames } from "./readings.ts";
import { hidingOf, UnseenFrames } from "./unseen_frames.ts";

export interface SnapshotOptions {
  /** Interactive things, and the headings and landmarks that tell them apart. */
  interactive?: boolean;
  /** Drop structure without a name. */
  compact?: boolean;
  /** Deepest level shown; 1 is the top. */
  depth?: number;
  /** Only what is inside this element: a ref or selector. */
  selector?: string;
  /** Of this frame, instead of the one that commands are scoped to. */
  frame?: Frame;
  /** Most nodes. Default 2,000, of interactive things 5,000. */
  maxNodes?: number;
  /** Only what is in the window. */
  viewport?: boolean;
  /** Only the topmost open dialog. */
  modal?: boolean;
  /** Also what is clickable without a role, as `@c` refs, or only that. */
  clickable?: boolean | "only";
  /** Is told, of each document, what nobody sees of the text that was read. */
  onHidden?: (hidden: HiddenTexts) => void;
  signal: AbortSignal;
}

export interface SnapshotNode {
  /** 0 at the top. */
  depth: number;
  /** Absent for text. */
  ref?: string;
  /** `text` for text, whose words are in `name`. */
  role: string;
  name: string;
  /** The name only repeats what the children say. */
  quiet?: true;
  /** All that it contains, when that is text its name does not say. */
  text?: string;
  /** Kind of input field, where the role does not tell: `date`, `file`… */
  type?: string;
  /** "•••" for secrets. */
  value?: string;
  /** Absolute. */
  url?: string;
  placeholder?: string;
  description?: string;
  /** Its id, or its first classes, as CSS, where nothing else says what it is. */
  markup?: string;
  /** Text of the row or card that it is in, where others have the same role and name. */
  within?: string;
  states?: ElementStates;
  /** Why a person could not see it. */
  hidden?: HiddenReason;
  interactive?: true;
  /** Found by the clickable scan: how. */
  clickable?: string;
  /** A frame whose content could not be read: why. */
  unreachable?: string;
  /** A frame whose document could not be loaded, or was answered with an error status: why. */
  failed?: string;
}

export interface Snapshot {
  title: string;
  url: string;
  tab: string;
  /** The frame's URL, when the snapshot is of one frame. */
  frame?: string;
  /** The ref of the element it is scoped to. */
  scope?: string;
  /** Of the topmost dialog: whether one is open. */
  modal?: boolean;
  /** The browser shows a PDF, which has no elements. */
  pdf?: true;
  shown: number;
  /** What it would show without `maxNodes`. */
  total: number;
  nodes: SnapshotNode[];
}

/** A snapshot with what tells its elements from those of another one. */
export interface IdentifiedSnapshot {
  snapshot: Snapshot;
  /** The document at the top. */
  doc: DocumentId;
  /** For each node, what stays the same while its element lives; undefined for text. */
  identities: (string | undefined)[];
}

/** About what fits into an answer's 200 kB, at 80 bytes a line. */
const MAX_NODES = 2000;
/** The same for interactive things, at 35. */
const MAX_INTERACTIVE = 5000;

/** Throws what `resolve` throws for the selector, `tab_gone`, `frame_gone`, `cancelled`. */
export async function takeSnapshot(tab: Tab, options: SnapshotOptions): Promise<Snapshot> {
  return (await identifiedSnapshot(tab, options)).snapshot;
}

/** Throws what `takeSnapshot` throws. */
export async function identifiedSnapshot(tab: Tab, options: SnapshotOptions): Promise<IdentifiedSnapshot> {
  const { selector, signal } = options;
  const scope = selector === undefined ? undefined : await resolve(tab, selector, { signal });
  const asked = scope?.frame ?? options.frame ?? tab.frame;
  const maxNodes = options.maxNodes ?? (options.interactive ? MAX_INTERACTIVE : MAX_NODES);
  const wanted = { scope, options: readOptions(options, maxNodes), signal };
  const { frame, readings } = await (options.modal ? readDialog : readFrom)(tab, asked, wanted);
  const top = readings.get(frame)?.answer;
  if (!top) throw new BrowseError("frame_gone", "The frame has left the page");
  const graft = new Graft(readings, refsOf(tab), {
    maxNodes,
    maxDepth: options.depth ?? Number.POSITIVE_INFINITY,
    failures: tab.frameFailures,
  });
  const { nodes, identities, total } = graft.from(frame);
  if (options.onHidden) tellHidden(readings, graft.unseen, options.onHidden);
  const isWhole = frame === tab.page.mainFrame();
  const isPdf = total === 0 && !scope && (await showsPdf(frame, signal));
  const snapshot: Snapshot = {
    title: isWhole ? top.title : await tab.page.title().catch(() => top.title),
    url: isWhole ? cutUrl(top.url) : tab.url,
    tab: tab.id,
    ...(isWhole ? {} : { frame: cutUrl(top.url) }),
    ...(scope && { scope: scope.id }),
    ...(options.modal && { modal: nodes.length > 0 }),
    ...(isPdf && { pdf: true }),
    shown: nodes.length,
    total,
    nodes,
  };
  return { snapshot, doc: top.doc, identities };
}

function tellHidden(readings: Readings, unseen: UnseenFrames, onHidden: (hidden: HiddenTexts) => void): void {
  for (const { answer } of readings.values()) if (answer?.hidden) onHidden(answer.hidden);
  for (const hidden of unseen.told()) onHidden(hidden);
}

type Wanted = Omit<FrameScope, "frame">;

interface ReadFrom {
  frame: Frame;
  readings: Readings;
}

async function readFrom(tab: Tab, frame: Frame, wanted: Wanted): Promise<ReadFrom> {
  return { frame, readings: await readFrames(tab, { ...wanted, frame }) };
}

/** A dialog in the document itself, else in a frame below it, whose snapshot it is then. */
async function readDialog(tab: Tab, frame: Frame, wanted: Wanted): Promise<ReadFrom> {
  const own = await readFrom(tab, frame, wanted);
  if (own.readings.get(frame)?.answer?.nodes.length || wanted.scope) return own;
  for (const child of framesUnder(frame).slice(1)) {
    const found = await readFrom(tab, child, wanted).catch(() => undefined);
    wanted.signal.throwIfAborted();
    if (found?.readings.get(child)?.answer?.nodes.length) return found;
  }
  return own;
}

function readOptions(options: SnapshotOptions, maxNodes: number): ReadOptions {
  const { interactive, compact, depth, viewport, modal, clickable } = options;
  return {
    maxNodes,
    ...(interactive && { interactive }),
    ...(compact && { compact }),
    ...(depth !== undefined && { depth }),
    ...(viewport && { viewport }),
    ...(modal && { modal }),
    ...(clickable && { clickable }),
  };
}

interface GraftOptions {
  maxNodes: number;
  maxDepth: number;
  failures: Tab["frameFailures"];
}

/** Puts the frames' lines together and gives each its ref. */
class Graft {
  /** What is in frames that nobody sees. */
  readonly unseen = new UnseenFrames();
  readonly #readings: Readings;
  readonly #refs: RefTable;
  readonly #options: GraftOptions;
  readonly #children = new Map<Frame, Map<ElementNumber, Frame>>();
  readonly #nodes: SnapshotNode[] = [];
  readonly #identities: (string | undefined)[] = [];
  #total = 0;

  constructor(readings: Readings, refs: RefTable, options: GraftOptions) {
    this.#readings = readings;
    this.#refs = refs;
    this.#options = options;
    for (const [frame, { owner }] of readings) {
      const parent = frame.parentFrame();
      if (!parent || owner === undefined) continue;
      const siblings = this.#children.get(parent) ?? new Map<ElementNumber, Frame>();
      this.#children.set(parent, siblings.set(owner, frame));
    }
  }

  from(frame: Frame): { nodes: SnapshotNode[]; identities: (string | undefined)[]; total: number } {
    this.#add(frame, 0, undefined);
    return { nodes: this.#nodes, identities: this.#identities, total: this.#total };
  }

  #add(frame: Frame, depth: number, around: HiddenReason | undefined): void {
    const answer = this.#readings.get(frame)?.answer;
    if (!answer) return;
    this.#total += answer.total;
    for (const node of answer.nodes) {
      if (this.#nodes.length >= this.#options.maxNodes) return;
      const level = depth + node.depth;
      if (level >= this.#options.maxDepth) continue;
      const line = this.#lineOf(frame, answer.doc, node, level);
      if (around) this.unseen.mark(line, around);
      this.#nodes.push(line);
      this.#identities.push(node.n === undefined ? undefined : `${answer.doc}/${node.n}`);
      if (node.frame && node.n !== undefined) this.#addFrame(frame, node.n, line);
    }
  }

  #addFrame(parent: Frame, owner: ElementNumber, line: SnapshotNode): void {
    const child = this.#children.get(parent)?.get(owner);
    const failure = child ? this.#readings.get(child)?.failure : undefined;
    const failed = child && this.#options.failures.of(child);
    if (failed) line.failed = frameFault(failed);
    else if (failure) line.unreachable = failure;
    if (child && line.depth + 1 < this.#options.maxDepth) this.#add(child, line.depth + 1, hidingOf(line));
  }

  #lineOf(frame: Frame, doc: string, { n, frame: _, seen: __, ...node }: ReadNode, depth: number): SnapshotNode {
    const line: SnapshotNode = node;
    line.depth = depth;
    if (n !== undefined) {
      line.ref = this.#refs.give({ frame, doc, n, role: line.role, name: line.name, how: "snapshot" }).id;
    }
    return line;
  }
}
