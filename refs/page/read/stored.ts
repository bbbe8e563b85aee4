/** What a document's site keeps on this machine, asked where the page's scripts have replaced nothing. */
import type { Operations } from "../protocol.ts";

type Area = Operations["stored"]["params"]["area"];

export function stored({ area }: Operations["stored"]["params"]): Operations["stored"]["answer"] {
  // A blank frame has the origin, and the storage, of the page that it is in; files have none that is their own.
  const origin = self.origin === "null" ? location.origin : self.origin;
  const storage = areaNamed(area);
  const items: [string, string][] = [];
  for (let index = 0; storage && index < storage.length; index++) {
    const key = storage.key(index);
    const value = key === null ? null : storage.getItem(key);
    if (key !== null && value !== null) items.push([key, value]);
  }
  return { origin, items };
}

export function store({ area, key, value }: Operations["store"]["params"]): Operations["store"]["answer"] {
  try {
    window[`${area}Storage`].setItem(key, value);
    return {};
  } catch (error) {
    return { refused: error instanceof Error ? error.name : "refused" };
  }
}

/** A sandboxed or opaque document has no storage of its own. */
function areaNamed(area: Area): Storage | undefined {
  try {
    return window[`${area}Storage`];
  } catch {
    return undefined;
  }
}
