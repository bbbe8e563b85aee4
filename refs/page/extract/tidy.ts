/** What lies over a page's content, hidden for as long as a picture takes. */

import { attributeOf } from "../dom/dom.ts";
import type { Elements } from "../dom/elements.ts";
import type { Described } from "../protocol.ts";
import { Cleaner } from "./cleanup.ts";
import type { ClutterKind } from "./cleanup_protocol.ts";
import type { ExtractOperations, Tidied } from "./protocol.ts";

/** What the page is about, its advertisements too, is left as it is. */
const KINDS: readonly ClutterKind[] = ["cookies", "overlays", "sticky"];

export function tidyOperations(elements: Elements, describe: (element: Element) => Described) {
  const undo: (() => void)[] = [];
  const untidy = () => {
    const restored = undo.length;
    for (const restore of undo.splice(0).reverse()) restore();
    return { restored };
  };
  return {
    tidy: ({ also }: ExtractOperations["tidy"]["params"]): Tidied => {
      untidy();
      const asked = also.flatMap((n) => elements.find({ doc: elements.doc, n }) ?? []);
      const named = asked.map(describe);
      for (const element of asked) undo.push(hidden(element));
      const { cleared } = new Cleaner(new Set(KINDS), describe, undo).clean();
      const found = cleared.filter(({ how }) => how === "hidden").map(({ element }) => element);
      return { hidden: [...named, ...found].map(labelOf) };
    },
    untidy,
  };
}

/** Hides it; what is given shows it again as it was. */
function hidden(element: Element): () => void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return () => undefined;
  const isPlain = attributeOf(element, "style") === null;
  const before = element.style.cssText;
  element.style.setProperty("display", "none", "important");
  return () => {
    element.style.cssText = before;
    if (isPlain) Element.prototype.removeAttribute.call(element, "style");
  };
}

/** `div "We use cookies"`. */
function labelOf({ tag, name, text }: Described): string {
  const words = name || (text ?? "");
  return words === "" ? tag : `${tag} ${JSON.stringify(words.length > 40 ? `${words.slice(0, 40)}…` : words)}`;
}
