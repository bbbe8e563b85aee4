/** Controls of one role and name, as rows and cards have them: the text of the row tells which is which. */
import { includes } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { MAX_TOLD, rowsOf, textIn } from "../find/rows.ts";
import type { ReadNode } from "../protocol.ts";

interface Listed {
  node: ReadNode;
  element: Element;
  /** Its place among the lines. */
  at: number;
}

/** Tells each what it is in, where no line before it says that. */
export function tellApart(nodes: readonly ReadNode[], elements: Elements): void {
  const listed = nodes.map((node) =>
    node.n === undefined ? undefined : elements.find({ doc: elements.doc, n: node.n }),
  );
  const operated = nodes.flatMap((node, at): Listed[] => {
    const element = listed[at];
    return element && (node.interactive || node.clickable) && node.role !== "option" ? [{ node, element, at }] : [];
  });
  const controls = new Set(operated.map(({ element }) => element));
  const alike = [...Map.groupBy(operated, ({ node }) => `${node.role} ${node.name}`).values()];
  for (const those of alike.filter(({ length }) => length > 1 && length <= MAX_TOLD)) {
    const rows = rowsOf(those.map(({ element }) => element));
    for (const { node, element, at } of those) {
      const row = rows.get(element);
      if (!row || isToldBefore(row, { nodes, listed, at })) continue;
      const text = textIn(row, element, controls);
      if (text !== "") node.within = text;
    }
  }
}

interface Place {
  nodes: readonly ReadNode[];
  listed: readonly (Element | undefined)[];
  at: number;
}

/** A heading, a link or the like in the same row, right before it. */
function isToldBefore(row: Element, { nodes, listed, at }: Place): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const element = listed[i];
    if (!element || !includes(row, element)) return false;
    const isAlike = nodes[i]?.role === nodes[at]?.role;
    if (nodes[i]?.name !== "" && !isAlike) return true;
  }
  return false;
}
