/** What an action has changed, as lines of a snapshot: what changed is read, and not the page. */

import { Describer } from "../aria/describe.ts";
import { isInteractive } from "../aria/interactive.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import { computeRole } from "../aria/roles.ts";
import { Visibility } from "../aria/visibility.ts";
import { isElement, queryAll } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { HiddenReason, ReadNode } from "../protocol.ts";
import { NodeCollector } from "../snapshot/nodes.ts";
import { type TreeNode, walkTree } from "../snapshot/tree.ts";
import { isIn, type Marks, marksOf, textOnceIn } from "./changed_marks.ts";
import type { ChangedNodes } from "./changed_nodes.ts";
import { MAX_INSIDE, RANKS, type Region, regionsOf } from "./changed_regions.ts";
import type { ChangedLine, ChangedLines } from "./protocol.ts";

/** Elements that the caller has heard of and that may have gone out of sight. */
const MAX_NAMED = 2_000;
/** Of what is gone. Characters. */
const MAX_TEXT = 100;

/** Who hides these hides them from nobody that looks. */
const SEEN: ReadonlySet<HiddenReason | undefined> = new Set([undefined, "aria-hidden", "label-mismatch"]);

interface LinesWanted {
  elements: Elements;
  /** What the field holds is told by the answer already. */
  isAnswered: (field: Element) => boolean;
  max: number;
}

/** Lines that change together. */
interface Group {
  lines: ChangedLine[];
  rank: number;
}

/** The `max` lines that tell most, and how many there are beside them. */
export function changedLines(nodes: ChangedNodes, { elements, isAnswered, max }: LinesWanted): ChangedLines {
  const marks = marksOf(nodes, {
    isAnswered,
    named: () => elements.named(MAX_NAMED),
    isNamed: (each) => elements.knownNumberOf(each) !== undefined,
  });
  const { regions, left } = regionsOf(marks);
  const reader = new RegionReader(elements, marks, nodes);
  const groups = [
    ...regions.flatMap((region) => reader.read(region)),
    ...marks.gone.flatMap((node) => reader.gone(node)),
    ...reader.renewed(),
  ];
  return { doc: elements.doc, ...chosen(groups, max, left) };
}

function chosen(groups: readonly Group[], max: number, left: number): Pick<ChangedLines, "lines" | "more"> {
  let room = max;
  const taken = new Map<Group, ChangedLine[]>();
  for (const group of [...groups].sort((a, b) => a.rank - b.rank)) {
    const lines = group.lines.slice(0, room);
    taken.set(group, lines);
    room -= lines.length;
  }
  const isLive = ({ rank }: Group) => rank === RANKS.live;
  const inOrder = [...groups.filter(isLive), ...groups.filter((group) => !isLive(group))];
  const lines = inOrder.flatMap((group) => taken.get(group) ?? []);
  return { lines, more: left + groups.flatMap((group) => group.lines).length - lines.length };
}

class RegionReader {
  readonly #elements: Elements;
  readonly #marks: Marks;
  readonly #nodes: ChangedNodes;
  readonly #reading = new Reading({ whole: false });
  readonly #describer: Describer;
  readonly #visibility = new Visibility(this.#reading);

  constructor(elements: Elements, marks: Marks, nodes: ChangedNodes) {
    this.#elements = elements;
    this.#marks = marks;
    this.#nodes = nodes;
    this.#describer = new Describer(elements, new Names(this.#reading));
  }

  read({ element, isAlone, rank }: Region): Group[] {
    const trees = isAlone ? [aloneOf(element)] : this.#kept(this.#walk(element));
    const groups: Group[] = [];
    for (let at = 0; at < trees.length; ) {
      const end = endOfLine(trees, at);
      const lines = this.#linesOf(trees.slice(at, end));
      if (lines.length > 0) groups.push({ lines, rank });
      at = end;
    }
    return groups;
  }

  /** Under the names that they have now. */
  renewed(): Group[] {
    return [...this.#marks.renewed].flatMap(([now, was]): Group[] => {
      const [line] = this.#linesOf([aloneOf(now)]);
      const wasN = this.#elements.knownNumberOf(was);
      return line && wasN !== undefined
        ? [{ lines: [{ kind: "changed", node: line.node, wasN }], rank: RANKS.elsewhere }]
        : [];
    });
  }

  /** By what it was known as, else by what was to be read in it. */
  gone(node: Node): Group[] {
    const name = textOnceIn(node, MAX_TEXT, this.#nodes.hidden);
    const known = isElement(node)
      ? [node, ...queryAll(node, "*")].flatMap((each) => this.#elements.knownNumberOf(each) ?? [])
      : [];
    const own = isElement(node) ? this.#elements.knownNumberOf(node) : undefined;
    const n = own ?? (name === "" ? known[0] : undefined);
    if (n === undefined && name === "") return [];
    const inside = known.filter((each) => each !== n).length;
    const line = { depth: 0, role: "text", name, ...(n !== undefined && { n }) };
    return [{ lines: [{ kind: "removed", node: line, ...(inside > 0 && { inside }) }], rank: RANKS.gone }];
  }

  #linesOf(trees: TreeNode[]): ChangedLine[] {
    const collector = new NodeCollector(this.#elements, this.#describer, this.#visibility, { maxNodes: MAX_INSIDE });
    const nodes = collector.collect(trees).nodes.filter(({ hidden }) => SEEN.has(hidden));
    const whole = this.#kindOf(trees);
    if (whole.kind === "moved") return this.#moved(trees[0], nodes[0]);
    return nodes.map((node, index) =>
      index === 0 ? { node, ...whole } : { node, kind: this.#kindIn(whole.kind, node) },
    );
  }

  /** What is in it has moved with it. */
  #moved(tree: TreeNode | undefined, node: ReadNode | undefined): ChangedLine[] {
    if (!tree || !node) return [];
    // Its name is not said by the lines of what is in it.
    const { quiet: _, ...line } = node;
    if (line.name === "") line.text ??= textOnceIn(tree.element, MAX_TEXT, this.#nodes.hidden);
    return [{ kind: "moved", node: line }];
  }

  /** What came into something else came, though that has only changed. */
  #kindIn(kind: ChangedLine["kind"], { n }: ReadNode): ChangedLine["kind"] {
    const element = n === undefined ? undefined : this.#elements.find({ doc: this.#elements.doc, n });
    return element && isIn(element, this.#marks.came) ? "added" : kind;
  }

  #walk(element: Element): TreeNode[] {
    const { hosts } = this.#elements;
    const options = { interactive: false, clickable: false, isListened: () => false, hosts };
    return walkTree(element, this.#reading, options).children;
  }

  /** Those that are marked, with the lines they are on; what is in others takes their place. */
  #kept(trees: readonly TreeNode[]): TreeNode[] {
    const kept: TreeNode[] = [];
    for (let at = 0; at < trees.length; ) {
      const end = endOfLine(trees, at);
      const line = trees.slice(at, end);
      const [first] = line;
      if (line.some((each) => this.#isMarked(each))) kept.push(...line);
      else if (first && first.role !== "text") kept.push(...this.#keptIn(first));
      at = end;
    }
    return kept;
  }

  #keptIn(tree: TreeNode): TreeNode[] {
    const children = this.#kept(tree.children);
    const isLine = tree.children.length > 0 && tree.children.every(({ role }) => role === "text");
    const isChanged = this.#marks.changed.has(tree.element);
    if (isLine && (children.length > 0 || isChanged)) return [tree];
    return isChanged ? [{ ...tree, children }] : children;
  }

  /** With all that is in it. */
  #isMarked({ role, element }: TreeNode): boolean {
    const { came, instead, moved, texted } = this.#marks;
    return [came, instead, moved].some((those) => isIn(element, those)) || (role === "text" && texted.has(element));
  }

  #kindOf(line: readonly TreeNode[]): Pick<ChangedLine, "kind" | "was"> {
    const { came, instead, moved } = this.#marks;
    const [first] = line;
    if (line.every(({ element }) => isIn(element, came))) return { kind: "added" };
    const was = first && instead.get(first.element);
    const text = was && textOnceIn(was, MAX_TEXT, this.#nodes.hidden);
    if (text) return { kind: "changed", was: text };
    return { kind: first && moved.has(first.element) ? "moved" : "changed" };
  }
}

function aloneOf(element: Element): TreeNode {
  const role = computeRole(element) ?? "generic";
  return { element, role, text: "", children: [], interactive: isInteractive(element, role) };
}

/** Pieces of text that stand on one line belong together. */
function endOfLine(trees: readonly TreeNode[], at: number): number {
  let end = at + 1;
  while (trees[end]?.joins) end++;
  return end;
}
