/** Where an element's own text is drawn. */
import { firstChildOf, nextSiblingOf, nodeTypeOf, TEXT } from "../dom/dom.ts";

export function linesOf(element: Element): DOMRect[] {
  const range = document.createRange();
  const lines: DOMRect[] = [];
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) !== TEXT) continue;
    range.selectNodeContents(child);
    lines.push(...range.getClientRects());
  }
  return lines;
}
