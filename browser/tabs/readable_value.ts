/** Any value of a page's script as one that JSON can hold and a person can read. */

/**
 * Runs in the page: it travels as text, and uses nothing from around it. Plain objects and arrays stay as they are, and
 * what has a JSON of its own becomes that. A big integer is written `10n`, a map or set is the list of its entries, and
 * what has no JSON is named: `[Window]`, `[Function load]`. As in JSON, functions and symbols that an object holds are
 * left out. Where a value comes back to itself it says `[Circular]`; what else it shows again is `[Repeated]` then, since
 * the parts of such values are reached in more ways than can be counted.
 */
export function readable(value: unknown): unknown {
  /** The driver carries some more levels of objects, and no more than that. */
  const MAX_DEPTH = 80;
  const above = new Set<object>();
  const copies = new Map<object, unknown>();
  let isCircular = false;
  let isOnce = false;

  // Not by class alone: what another frame made is no instance of this one's classes.
  const tagOf = (part: object): string => Object.prototype.toString.call(part).slice("[object ".length, -1);

  function nameOf(part: object): string | undefined {
    if ("window" in part && part.window === part) return "[Window]";
    const isNode = "nodeType" in part && "compareDocumentPosition" in part;
    return isNode || above.size >= MAX_DEPTH ? `[${tagOf(part)}]` : undefined;
  }

  function membersOf(part: object): unknown {
    const members: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(part)) {
      try {
        const member = (part as Record<string, unknown>)[key];
        if (typeof member !== "function" && typeof member !== "symbol") members[key] = copyOf(member);
      } catch {
        // A getter that throws has no value to show.
      }
    }
    const isEmpty = Object.keys(members).length === 0;
    return isEmpty && "toJSON" in part && typeof part.toJSON === "function" ? copyOf(part.toJSON()) : members;
  }

  const isError = (part: object): part is Error => part instanceof Error || tagOf(part) === "Error";

  function contentOf(part: object): unknown {
    const tag = tagOf(part);
    if (Array.isArray(part) || tag === "Set") return Array.from(part as Iterable<unknown>, copyOf);
    if (tag === "Map") return Array.from(part as Map<unknown, unknown>, (entry) => entry.map(copyOf));
    if (tag === "RegExp") return String(part);
    if (isError(part)) return { name: `${part.name}`, message: `${part.message}` };
    const isBinary = ArrayBuffer.isView(part) && !tag.startsWith("Big");
    return isBinary ? part : membersOf(part);
  }

  function objectCopy(part: object): unknown {
    if (above.has(part)) {
      isCircular = true;
      return "[Circular]";
    }
    if (copies.has(part)) return isOnce ? "[Repeated]" : copies.get(part);
    const name = nameOf(part);
    if (name !== undefined) return name;
    above.add(part);
    try {
      const copy = contentOf(part);
      copies.set(part, copy);
      return copy;
    } finally {
      above.delete(part);
    }
  }

  function copyOf(part: unknown): unknown {
    if (typeof part === "bigint") return `${part}n`;
    if (typeof part === "symbol") return String(part);
    if (typeof part === "function") return part.name ? `[Function ${String(part.name)}]` : "[Function]";
    if (typeof part !== "object" || part === null) return part;
    try {
      return objectCopy(part);
    } catch {
      // It answers no question, such as a proxy that was revoked.
      return "[Object]";
    }
  }

  const copy = copyOf(value);
  if (!isCircular) return copy;
  isOnce = true;
  copies.clear();
  return copyOf(value);
}
