/** What an answer was like, without what it said: the types of its members, and how long they are. */

/** Members, items and lines looked at in one answer. */
const MAX_PARTS = 2_000;
/** A shape is read by people. Characters. */
const MAX_SHAPE = 500;

interface Schema {
  entries?: Readonly<Record<string, Schema>>;
  wrapped?: Schema;
  item?: Schema;
  items?: readonly Schema[];
  options?: readonly unknown[];
  rest?: Schema;
  pipe?: readonly Schema[];
}

/** The names that a schema gives to members. All others are the page's own words. */
export function namesIn(schema: object): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const collect = (part: unknown) => {
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    const { entries = {}, wrapped, item, items = [], options = [], rest, pipe = [] } = part as Schema;
    for (const [name, entry] of Object.entries(entries)) {
      names.add(name);
      collect(entry);
    }
    for (const inner of [wrapped, item, rest, ...items, ...options, ...pipe]) collect(inner);
  };
  collect(schema);
  return names;
}

/** `{rows: 30 × [4 × string], caption: string(12)}`: of a list the shape of its first item, of a text its length. */
export function shapeOf(value: unknown, names: ReadonlySet<string>): string {
  const parts = { left: MAX_PARTS };
  const shape = shapeIn(value, names, { parts, isItem: false });
  return shape.length > MAX_SHAPE ? `${shape.slice(0, MAX_SHAPE)}…` : shape;
}

interface Walk {
  parts: { left: number };
  /** Of items only the kind is told: no two are of one length. */
  isItem: boolean;
}

function shapeIn(value: unknown, names: ReadonlySet<string>, walk: Walk): string {
  if (walk.parts.left-- <= 0) return "…";
  if (typeof value === "string") return walk.isItem ? "string" : `string(${value.length})`;
  if (Array.isArray(value)) {
    return value.length === 0 ? "[]" : `${value.length} × [${shapeIn(value[0], names, { ...walk, isItem: true })}]`;
  }
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const members = Object.entries(value);
  const known = members.filter(([name]) => names.has(name));
  const shown = known.map(([name, member]) => `${name}: ${shapeIn(member, names, walk)}`);
  const others = members.length - known.length;
  return `{${[...shown, ...(others > 0 ? [`${others} of the page's`] : [])].join(", ")}}`;
}

/** A text of an answer, and where it stood: `rows.2.0`, `text:14` for a line of it. */
export interface Leaf {
  path: string;
  text: string;
}

/** The texts of an answer, the first of them. */
export function leavesOf(value: unknown, names: ReadonlySet<string>): Leaf[] {
  const leaves: Leaf[] = [];
  addLeaves(value, "", { names, leaves, left: MAX_PARTS });
  return leaves;
}

interface Gathering {
  names: ReadonlySet<string>;
  leaves: Leaf[];
  left: number;
}

function addLeaves(value: unknown, path: string, gathering: Gathering): void {
  if (gathering.left-- <= 0) return;
  if (typeof value === "string") {
    gathering.leaves.push({ path, text: value });
    if (value.includes("\n")) addLines(value, path, gathering);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const prefix = path === "" ? "" : `${path}.`;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (gathering.left <= 0) return;
    const step = isList || gathering.names.has(name) ? name : "*";
    addLeaves((value as Record<string, unknown>)[name], prefix + step, gathering);
  }
}

function addLines(text: string, path: string, gathering: Gathering): void {
  let from = 0;
  for (let line = 1; from < text.length && gathering.left-- > 0; line++) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    gathering.leaves.push({ path: `${path}:${line}`, text: text.slice(from, to).trim() });
    from = to + 1;
  }
}
