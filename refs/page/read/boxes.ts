/** The `boxes` operation: where elements are now, for pictures of the page. */

import { tagOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import { boxOf, contentOf, partsOf } from "../dom/geometry.ts";
import type { ElementNumber, Operations, PlacedBox } from "../protocol.ts";

export function boxes(elements: Elements, { numbers }: Operations["boxes"]["params"]): Operations["boxes"]["answer"] {
  const { doc } = elements;
  return { doc, boxes: numbers.map((n) => placed(elements, n)) };
}

function placed(elements: Elements, n: ElementNumber): PlacedBox | null {
  const element = elements.find({ doc: elements.doc, n });
  if (!element) return null;
  const own = boxOf(element);
  // What has no box of its own is where its content is.
  const box = own.width > 0 && own.height > 0 ? own : partsOf(element)[0];
  if (!box) return null;
  const tag = tagOf(element);
  return tag === "iframe" || tag === "frame" ? { ...box, content: contentOf(element) } : box;
}
