/** The driver's AI-mode tree as a list of nodes, in document order. */

/** What `ariaSnapshotJSON` answers, as far as it is compared. */
export interface AriaNode {
  role: string;
  name?: string;
  text?: string;
  ref?: string;
  children?: (AriaNode | string)[];
  checked?: boolean | "mixed";
  pressed?: boolean | "mixed";
  disabled?: boolean;
  expanded?: boolean;
  active?: boolean;
  invalid?: boolean | string;
  level?: number;
  selected?: boolean;
}

export interface DriverNode extends AriaNode {
  /** Nearest first. */
  ancestors: AriaNode[];
}

export interface DriverTree {
  nodes: DriverNode[];
  /** Every piece of text that it shows. */
  texts: string[];
}

export function flatten(answer: unknown): DriverTree {
  const tree: DriverTree = { nodes: [], texts: [] };
  const visit = (node: AriaNode | string, ancestors: AriaNode[]): void => {
    if (typeof node === "string") {
      tree.texts.push(node);
      return;
    }
    if (node.text !== undefined) tree.texts.push(node.text);
    if (node.role !== "text") tree.nodes.push({ ...node, ancestors });
    for (const child of node.children ?? []) visit(child, [node, ...ancestors]);
  };
  for (const node of answer as (AriaNode | string)[]) visit(node, []);
  return tree;
}
