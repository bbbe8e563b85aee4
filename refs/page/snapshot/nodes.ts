/** From tree nodes to the lines of a snapshot: names, values, states and marks, for as many as are wanted. */

import { CLICKABLE, cut, type Describer } from "../aria/describe.ts";
import { fieldValue } from "../aria/field_value.ts";
import type { HiddenCollector } from "../aria/hidden_texts.ts";
import { isEditable } from "../aria/interactive.ts";
import { NAMED_FROM_CONTENT } from "../aria/role_table.ts";
import { statesOf } from "../aria/states.ts";
import type { Visibility } from "../aria/visibility.ts";
import { attributeOf, closestOf, fold, has, textContentOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { seenOf } from "../dom/geometry.ts";
import { shownUrl, urlOf } from "../dom/url.ts";
import type { HiddenReason, ReadNode, ReadOptions } from "../protocol.ts";
import { Repeats, squeeze } from "./repeats.ts";
import type { TreeNode } from "./tree.ts";

/** The first ones say what it is, others how it looks. */
const MAX_CLASSES = 2;

interface Collected {
  nodes: ReadNode[];
  total: number;
}

interface CollectOptions extends Pick<ReadOptions, "maxNodes" | "viewport"> {
  /** Is told of what nobody sees. */
  hidden?: HiddenCollector;
}

interface Line {
  text: string;
  hidden?: HiddenReason;
}

export class NodeCollector {
  readonly #elements: Elements;
  readonly #describer: Describer;
  readonly #visibility: Visibility;
  readonly #repeats: Repeats;
  readonly #maxNodes: number;
  readonly #withSeen: boolean;
  readonly #hidden: HiddenCollector | undefined;
  /** Pieces of text that it was told of. */
  readonly #told = new Set<TreeNode>();
  readonly #nodes: ReadNode[] = [];
  #total = 0;

  constructor(elements: Elements, describer: Describer, visibility: Visibility, options: CollectOptions) {
    this.#elements = elements;
    this.#describer = describer;
    this.#visibility = visibility;
    this.#repeats = new Repeats(describer, visibility);
    this.#maxNodes = options.maxNodes;
    this.#withSeen = options.viewport === true;
    this.#hidden = options.hidden;
  }

  collect(nodes: TreeNode[]): Collected {
    this.#addAll(nodes, 0);
    return { nodes: this.#nodes, total: this.#total };
  }

  #addAll(nodes: TreeNode[], depth: number): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i];
      if (!node) continue;
      if (node.role === "text") i = this.#addText(nodes, i, depth);
      else this.#addElement(node, depth);
    }
  }

  /** Adds the line of text that starts at `from`, hidden pieces on a line of their own; answers where it ends. */
  #addText(nodes: TreeNode[], from: number, depth: number): number {
    let to = from;
    while (nodes[to + 1]?.joins) to++;
    if (this.#nodes.length >= this.#maxNodes) {
      this.#total++;
      return to;
    }
    for (const { text, hidden } of this.#linesOf(nodes, from, to)) {
      this.#total++;
      this.#nodes.push({ depth, role: "text", name: text, ...(hidden && { hidden }) });
    }
    return to;
  }

  /** A line of text by visibility: what of it can be read, and what can't. */
  #linesOf(nodes: TreeNode[], from: number, to: number): Line[] {
    const lines: Line[] = [];
    for (let i = from; i <= to; i++) {
      const piece = nodes[i];
      if (!piece) break;
      const hidden = this.#visibility.hiddenReason(piece.element);
      if (hidden === "display" || hidden === "visibility" || this.#isLabelText(piece.element, piece.text)) continue;
      this.#tell(piece, piece.text, hidden);
      const line = lines.find((known) => known.hidden === hidden);
      if (line) line.text += piece.text;
      else lines.push(hidden ? { text: piece.text, hidden } : { text: piece.text });
    }
    for (const line of lines) line.text = cut(fold(line.text));
    return lines.filter((line) => line.text !== "");
  }

  /** Tells of a piece of text once, however often its line is made. */
  #tell(node: TreeNode, text: string, hidden: HiddenReason | undefined): void {
    if (!this.#hidden) return;
    if (hidden === undefined || hidden === "aria-hidden") {
      this.#hidden.endText();
    } else if (!this.#told.has(node)) {
      this.#told.add(node);
      this.#hidden.add(node.element, text, hidden);
    }
  }

  /** Of a control that something else stands for, the label is no hidden text. */
  #tellName(tree: TreeNode, { role, name }: ReadNode, hidden: HiddenReason | undefined): void {
    if (!NAMED_FROM_CONTENT.has(role) || (hidden && !/\S/.test(textContentOf(tree.element) ?? ""))) return;
    this.#tell(tree, name, hidden);
  }

  /** True for a label's text that its control's name says, on the line of the control. */
  #isLabelText(element: Element, text: string): boolean {
    const label = closestOf(element, "label");
    const control = label instanceof HTMLLabelElement ? label.control : null;
    if (!control || this.#visibility.hiddenReason(control) !== undefined) return false;
    return squeeze(this.#describer.nameOf(control, this.#describer.roleOf(control))).includes(squeeze(text));
  }

  #addElement(tree: TreeNode, depth: number): void {
    if (this.#nodes.length >= this.#maxNodes) {
      this.#total += countNodes(tree);
      return;
    }
    const hidden = tree.isStoodFor ? undefined : this.#visibility.hiddenReason(tree.element);
    if (hidden === "display" || hidden === "visibility") {
      this.#addAll(tree.children, depth);
      return;
    }
    const node = this.#describe(tree, depth, hidden);
    const { children, text = this.#unread(tree, node) } = this.#childrenToShow(tree, node);
    if (text) node.text = text;
    if (children.length === 0 && !text) this.#tellName(tree, node, hidden);
    const markup = children.length === 0 ? markupOf(tree, node) : "";
    if (markup) node.markup = cut(markup);
    if (carriesNothing(node, tree, children)) {
      this.#addAll(children, depth);
      return;
    }
    this.#total++;
    this.#nodes.push(node);
    this.#addAll(children, depth + 1);
  }

  #describe({ element, role, interactive, clickable }: TreeNode, depth: number, hidden?: HiddenReason): ReadNode {
    if (role === CLICKABLE) this.#elements.clickable.add(element);
    const node: ReadNode = { n: this.#elements.numberOf(element), depth, role, name: "" };
    node.name = this.#describer.nameOf(element, role);
    const value = fieldValue(element, role, this.#describer.names.reading);
    if (value !== undefined) node.value = cut(value);
    const url = role === "link" ? urlOf(element, this.#describer.names.reading.base) : undefined;
    if (url !== undefined) node.url = shownUrl(url);
    const type = typeOf(element);
    if (type) node.type = type;
    const placeholder = attributeOf(element, "placeholder");
    if (placeholder && interactive && placeholder !== node.name) node.placeholder = cut(fold(placeholder));
    if (interactive) {
      node.interactive = true;
      const description = this.#describer.names.descriptionOf(element);
      if (description) node.description = cut(description);
    }
    const states = statesOf(element, role, this.#describer.names.reading);
    if (states) node.states = states;
    if (interactive && isEditable(element, role)) this.#addEditable(node, element);
    const mark =
      hidden ?? (has(element, "aria-label") && this.#contradicts(element, node) ? "label-mismatch" : undefined);
    if (mark) node.hidden = mark;
    if (role === "iframe") this.#addFrame(node, element);
    if (clickable) node.clickable = clickable;
    return node;
  }

  /** Of what is listed for what it does, by a reading that leaves out text: where the name does not say it. */
  #unread({ element, children, clickable }: TreeNode, { role, name, hidden }: ReadNode): string {
    const isUnnamed = clickable !== undefined && name === "" && role !== "textbox";
    return children.length === 0 && (isUnnamed || hidden === "label-mismatch")
      ? cut(fold(this.#describer.contentOf(element)))
      : "";
  }

  /** What is in it is its value, where its name does not say that. */
  #addEditable(node: ReadNode, element: Element): void {
    node.states = { ...node.states, editable: true };
    const text = fold(this.#describer.contentOf(element));
    if (text !== node.name) node.value = cut(text);
  }

  #addFrame(node: ReadNode, element: Element): void {
    node.frame = true;
    const seen = this.#withSeen ? seenOf(element) : undefined;
    if (seen) node.seen = seen;
  }

  /** True when a label and the text that is seen have no word in common. */
  #contradicts(element: Element, node: ReadNode): boolean {
    if (!NAMED_FROM_CONTENT.has(node.role)) return false;
    const content = fold(this.#describer.contentOf(element));
    const seen = words(content);
    if (seen.length === 0) return false;
    const said = new Set(words(node.name));
    if (said.size === 0 || seen.some((word) => said.has(word) || node.name.toLowerCase().includes(word))) return false;
    this.#hidden?.addName(element, node.name, content);
    return true;
  }

  /** Children without what the node's own name already says, and the text that can stand on its line. */
  #childrenToShow(tree: TreeNode, node: ReadNode): { children: TreeNode[]; text?: string } {
    const { children } = tree;
    const first = children[0];
    if (!first) return { children };
    const isOnlyItsName = children.length === 1 && first.element === tree.element && fold(first.text) === node.name;
    if (isOnlyItsName) return { children: [] };
    if (children.every((child) => child.role === "text")) {
      const lines = this.#separateLines(children);
      if (lines.some((line) => line.hidden !== node.hidden)) return { children };
      const text = lines.map((line) => line.text).join(" ");
      const isSaid = [node.name, node.value ?? ""].some((said) => squeeze(said).includes(squeeze(text)));
      return isSaid ? { children: [] } : { children: [], text };
    }
    if (node.states?.editable && this.#repeats.covers(children, node.value ?? "")) delete node.value;
    const { rest, isQuiet } = this.#repeats.within(tree, node);
    if (isQuiet) node.quiet = true;
    return { children: rest };
  }

  #separateLines(pieces: TreeNode[]): Line[] {
    const lines: Line[] = [];
    for (let from = 0; from < pieces.length; ) {
      let to = from;
      while (pieces[to + 1]?.joins) to++;
      lines.push(...this.#linesOf(pieces, from, to));
      from = to + 1;
    }
    return lines;
  }
}

/** What its author calls it, where nothing says what pressing it does: an icon, a handle. */
function markupOf({ element, clickable }: TreeNode, node: ReadNode): string {
  const isSaid = [node.name, node.text, node.value, node.description, node.url].some(Boolean);
  if (isSaid || (clickable === undefined && node.role !== "button")) return "";
  const id = attributeOf(element, "id")?.trim();
  if (id) return `#${id}`;
  const classes = attributeOf(element, "class")?.match(/\S+/g) ?? [];
  return classes
    .slice(0, MAX_CLASSES)
    .map((name) => `.${name}`)
    .join("");
}

function carriesNothing(node: ReadNode, tree: TreeNode, children: TreeNode[]): boolean | undefined {
  if (node.interactive || node.clickable || node.frame || tree.isCut) return false;
  if (tree.role === "img" || tree.role === "separator") return node.name === "" && !node.text;
  const isEmpty = (node.name === "" || node.quiet) && !node.text && !node.value;
  return (
    isEmpty && (children.length === 0 ? tree.role !== "cell" && tree.role !== "gridcell" : tree.role === "rowgroup")
  );
}

/** Near enough for what is only counted: text that is all a node contains stands on its line. */
function countNodes({ children }: TreeNode): number {
  if (children.every((child) => child.role === "text")) return 1;
  let count = 1;
  for (const child of children) if (!child.joins) count += countNodes(child);
  return count;
}

/** The kind of field, where the role does not tell how it is filled in. */
function typeOf(element: Element): string | undefined {
  if (!(element instanceof HTMLInputElement)) return undefined;
  const { type } = element;
  return ["date", "time", "datetime-local", "month", "week", "color", "file"].includes(type) ? type : undefined;
}

function words(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{2,}/gu) ?? []).slice(0, 50);
}
