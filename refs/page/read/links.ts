/** Links with what they say and where they lead. */
import { Describer } from "../aria/describe.ts";
import { Names } from "../aria/names.ts";
import { Reading } from "../aria/reading.ts";
import type { Elements } from "../dom/elements.ts";
import { urlOf } from "../dom/url.ts";
import { queryAcross } from "../find/query.ts";
import type { ElementId, Operations } from "../protocol.ts";
import { goneOr, rootFor } from "./text.ts";

/** Each pair of text and address once, in document order; what is not shown is left out. */
export function links(elements: Elements, params: Partial<ElementId>): Operations["links"]["answer"] {
  const root = rootFor(elements, params);
  if (!root) return goneOr(elements, params, { state: "here", links: [] });
  const reading = new Reading({ whole: true });
  const describer = new Describer(elements, new Names(reading));
  const found = new Map<string, { text: string; url: string }>();
  for (const link of queryAcross(root, "a[href], area[href]")) {
    const url = urlOf(link, reading.base);
    if (url === undefined || !reading.isShown(link)) continue;
    const text = describer.nameOf(link, "link");
    found.set(`${text}\n${url}`, { text, url });
  }
  return { state: "here", links: [...found.values()] };
}
