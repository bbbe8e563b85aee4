/** Trees of a document: its own, and those in open shadow roots. */
import { includes, queryAll, shadowRootOf } from "../dom/dom.ts";

/** A node's own tree and the open shadow trees in it, outermost first. */
export function openRoots(root: Node): Node[] {
  const roots: Node[] = [root];
  for (let i = 0; i < roots.length; i++) {
    const tree = roots[i];
    if (!tree) break;
    for (const element of queryAll(tree, "*")) {
      const shadow = shadowRootOf(element);
      if (shadow) roots.push(shadow);
    }
  }
  const own = root instanceof Element ? shadowRootOf(root) : null;
  if (own && !roots.some((known) => known === own || includes(known, own))) roots.push(own);
  return roots;
}
