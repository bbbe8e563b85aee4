/** Which nodes of the tree a snapshot shows: pruning by what was asked for, before anything is named. */
import { CLICKABLE } from "../aria/describe.ts";
import type { Names } from "../aria/names.ts";
import { GROUP_ROLES, LANDMARK_ROLES } from "../aria/role_table.ts";
import { closestOf, fold, rectOf, tagOf, textContentOf } from "../dom/dom.ts";
import { overlaps, visibleParts, windowBox } from "../dom/geometry.ts";
import type { Box, ReadOptions } from "../protocol.ts";
import type { TreeNode } from "./tree.ts";

/** Roles that say nothing without a name: what they contain is shown in their place. */
const STRUCTURE = new Set([
  "article",
  "blockquote",
  "caption",
  "code",
  "definition",
  "deletion",
  "directory",
  "document",
  "emphasis",
  "feed",
  "figure",
  "group",
  "insertion",
  "list",
  "listitem",
  "mark",
  "note",
  "paragraph",
  "region",
  "row",
  "rowgroup",
  "section",
  "strong",
  "subscript",
  "superscript",
  "table",
  "term",
  "time",
  "cell",
  "gridcell",
  "suggestion",
  "radiogroup",
  "tabpanel",
  "toolbar",
  "status",
  "presentation",
]);

export function pruneNodes(top: TreeNode, options: ReadOptions, names: Names): TreeNode[] {
  let nodes = top.children;
  if (options.viewport) nodes = prune(nodes, (node, kept) => kept || isInView(node, options.window));
  if (options.clickable === "only") nodes = prune(nodes, (node) => node.clickable !== undefined);
  else if (options.interactive) nodes = withoutWrappers(onlyInteractive(nodes, names));
  else if (options.compact) nodes = prune(nodes, (node) => !STRUCTURE.has(node.role) || isNamedStructure(node, names));
  return options.depth ? cutAt(nodes, options.depth) : nodes;
}

/** Keeps a node when the test says so; else its kept children take its place. */
function prune(nodes: TreeNode[], keep: (node: TreeNode, hasKept: boolean) => boolean): TreeNode[] {
  const result: TreeNode[] = [];
  for (const node of nodes) {
    const children = prune(node.children, keep);
    if (keep(node, children.length > 0)) {
      node.children = children;
      result.push(node);
    } else {
      for (const child of children) result.push(child);
    }
  }
  return result;
}

function isNamedStructure(node: TreeNode, names: Names): boolean {
  if (node.clickable) return true;
  // Rows and cells are named by what they contain, which is shown anyway.
  if (node.role === "row" || node.role === "cell" || node.role === "gridcell") return false;
  return names.nameOf(node.element) !== "";
}

function onlyInteractive(nodes: TreeNode[], names: Names): TreeNode[] {
  const kept = withoutIdleHeadings(
    prune(nodes, (node, hasKept) => {
      const { role } = node;
      if (node.interactive || node.clickable || role === "iframe" || role === "text") return true;
      if (role === "alert" || role === "status") return hasKept;
      if (role === "heading") return !hasKept;
      if (role === "dialog" || role === "alertdialog") return true;
      // Where what is dragged may go.
      if (role === "list") return hasKept && node.children.some(({ clickable }) => clickable === "delegated");
      if (LANDMARK_ROLES.has(role)) return hasKept;
      return hasKept && GROUP_ROLES.has(role) && names.nameOf(node.element) !== "";
    }),
  );
  return withoutLoneLandmark(kept, names);
}

/** What is there for nothing but the one thing in it, and says the same. */
function withoutWrappers(nodes: TreeNode[]): TreeNode[] {
  return nodes.map((node) => {
    node.children = withoutWrappers(node.children);
    const [only, another] = node.children;
    if (node.role !== CLICKABLE || !only || another || !(only.interactive || only.clickable)) return node;
    return textIn(node) === textIn(only) ? only : node;
  });
}

function textIn({ element }: TreeNode): string {
  return fold(textContentOf(element) ?? "");
}

/** One that all is in, and that has no name, tells nothing apart. */
function withoutLoneLandmark(nodes: TreeNode[], names: Names): TreeNode[] {
  let lone = nodes;
  while (lone.length === 1 && lone[0] && isPlainLandmark(lone[0], names)) lone = lone[0].children;
  return lone;
}

function isPlainLandmark({ role, element, clickable }: TreeNode, names: Names): boolean {
  const isDialog = role === "dialog" || role === "alertdialog";
  return LANDMARK_ROLES.has(role) && !isDialog && !clickable && names.nameOf(element) === "";
}

/** A heading stays when something to operate follows before the next heading of its level or above. */
function withoutIdleHeadings(nodes: TreeNode[]): TreeNode[] {
  const idle = new Set<TreeNode>();
  let open: { node: TreeNode; level: number }[] = [];
  const visit = (node: TreeNode): void => {
    if (node.role === "heading") {
      const level = headingLevel(node.element);
      open = open.filter((heading) => heading.level < level);
      open.push({ node, level });
      idle.add(node);
    } else if (node.interactive || node.clickable) {
      for (const heading of open) idle.delete(heading.node);
      open = [];
    }
    for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  return idle.size > 0 ? prune(nodes, (node) => !idle.has(node)) : nodes;
}

function headingLevel(element: Element): number {
  return Number(element.getAttribute("aria-level") ?? /^h([1-6])$/.exec(element.localName)?.[1] ?? 2) || 2;
}

function cutAt(nodes: TreeNode[], depth: number): TreeNode[] {
  for (const node of nodes) {
    if (depth > 1) cutAt(node.children, depth - 1);
    else if (node.children.length > 0) {
      node.children = [];
      node.isCut = true;
    }
  }
  return nodes;
}

/** In the window, and not scrolled out of sight in what holds it. An option of a closed list is where the list is. */
function isInView({ element }: TreeNode, seen: Box = windowBox()): boolean {
  const placed = isListOption(element) ? (closestOf(element, "select") ?? element) : element;
  // Most of a long page is told by its box alone; what cuts it off is looked for only then.
  return overlaps(rectOf(placed), seen) && visibleParts(placed).some((part) => overlaps(part, seen));
}

function isListOption(element: Element): boolean {
  const tag = tagOf(element);
  return tag === "option" || tag === "optgroup";
}
