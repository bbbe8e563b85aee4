/** What `aria-owns` moves: which element is read under which owner (WAI-ARIA 1.2, 6.6.4). */
import { flatParentOf, includes, queryAll, referenced, tagOf } from "../dom/dom.ts";
import type { Reading } from "./reading.ts";

export type Ownership = ReadonlyMap<Element, Element>;

/**
 * Owners by what they own. Nothing is lost: an owner that isn't read itself (hidden, outside the part that is read, a
 * field) owns nothing, the first of two owners wins, and what would end up inside itself stays where it is.
 */
export function findOwners(root: Element, reading: Reading): Ownership {
  const owners = new Map<Element, Element>();
  for (const owner of queryAll(document, "[aria-owns]")) {
    if (HOLDS_NOTHING.has(tagOf(owner)) || !includes(root, owner) || !reading.isShown(owner)) continue;
    for (const element of referenced(owner, "aria-owns")) {
      const isInPlace = owners.has(element) || includes(owner, element) || isUnder(owner, element, owners);
      if (!isInPlace) owners.set(element, owner);
    }
  }
  return owners;
}

const HOLDS_NOTHING = new Set(["input", "textarea", "progress", "meter", "iframe", "frame"]);

/** Follows the tree as it is read, with what was moved so far where it was moved to. */
function isUnder(element: Element, ancestor: Element, owners: Ownership): boolean {
  for (let at: Element | undefined = element; at; at = owners.get(at) ?? flatParentOf(at)) {
    if (at === ancestor) return true;
  }
  return false;
}
