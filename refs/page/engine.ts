/**
 * The reader: a selector engine that the driver runs in its isolated world of every document. A selector either
 * carries a question, answered by a detached element that holds the JSON, or names an element by number.
 */
import { actOperations, type Naming } from "./act_operations.ts";
import { Describer } from "./aria/describe.ts";
import { Names } from "./aria/names.ts";
import { Reading } from "./aria/reading.ts";
import { isSecret, rememberPasswords } from "./aria/secret.ts";
import { contentTypeOf } from "./dom/dom.ts";
import { Elements } from "./dom/elements.ts";
import { ChangeCounter } from "./effects/changes.ts";
import { cleanupOperations } from "./extract/cleanup.ts";
import { extractOperations } from "./extract_operations.ts";
import { locatorsOf } from "./find/locators.ts";
import { query } from "./find/query.ts";
import type { Described, Operations } from "./protocol.ts";
import { boxes } from "./read/boxes.ts";
import { detailOperations } from "./read/details.ts";
import { forms } from "./read/forms.ts";
import { links } from "./read/links.ts";
import { readable } from "./read/readable.ts";
import { store, stored } from "./read/stored.ts";
import { text } from "./read/text.ts";
import { read } from "./snapshot/read.ts";

type Operation = (params: never) => unknown;

export default function createEngine() {
  const elements = new Elements();
  const changes = new ChangeCounter();
  const describeElement = (element: Element) => describerOf(elements).describe(element);
  const operations = new Map<string, Operation>(
    Object.entries({
      ...readOperations(elements, changes),
      ...extractOperations(elements, describeElement),
      ...cleanupOperations(elements, describeElement),
      ...actOperations(elements, namingOf(elements), changes),
    }),
  );
  const find = (root: Node, body: string): Element | null => {
    const resolve = /^(\d+)@(.+)$/.exec(body);
    if (resolve) return elements.find({ n: Number(resolve[1]), doc: String(resolve[2]) }) ?? null;
    if (body === "number")
      return carrier(JSON.stringify({ ok: root instanceof Element ? elements.numberOf(root) : 0 }));
    const colon = body.indexOf(":");
    return carrier(answer(operations, body.slice(0, colon), decodeURIComponent(body.slice(colon + 1))));
  };
  return {
    /** For who may call it: the driver's script does not, and knows elements only. */
    ask: (operation: string, question: string): string => answer(operations, operation, question),
    query: find,
    queryAll: (root: Node, body: string): Element[] => [find(root, body)].filter((element) => element !== null),
  };
}

/** `{ ok }` or `{ error }`, as JSON; both ways to ask are answered so. */
function answer(operations: Map<string, Operation>, name: string, question: string): string {
  const operation = operations.get(name);
  if (!operation) return JSON.stringify({ error: `Unknown operation "${name.slice(0, 40)}"` });
  rememberPasswords();
  try {
    return JSON.stringify({ ok: operation(JSON.parse(question) as never) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error) });
  }
}

const XHTML = "http://www.w3.org/1999/xhtml";

/**
 * Never attached to the document; its text is the answer. The driver writes in its log what an element says that has
 * nothing in it but text, and takes apart all of it for that: hence the other element.
 */
function carrier(text: string): Element {
  const create = Document.prototype.createElementNS;
  const element = create.call(document, XHTML, "data");
  element.append(create.call(document, XHTML, "i"), text);
  return element;
}

function readOperations(elements: Elements, changes: ChangeCounter) {
  return {
    read: (params: Operations["read"]["params"]) => {
      if (params.root === undefined) changes.forget();
      return read(elements, params);
    },
    scrolled: (): Operations["scrolled"]["answer"] => ({ x: Math.round(scrollX), y: Math.round(scrollY) }),
    stored,
    store,
    query: (params: Operations["query"]["params"]) => query(elements, params),
    describe: (params: Operations["describe"]["params"]) => describe(elements, params),
    contentType: (): Operations["contentType"]["answer"] => ({ type: contentTypeOf(document) }),
    text: (params: Operations["text"]["params"]) => text(elements, params),
    readable: (params: Operations["readable"]["params"]) => readable(elements, params),
    links: (params: Operations["links"]["params"]) => links(elements, params),
    forms: () => forms(elements),
    listen: ({ type }: Operations["listen"]["params"]) => {
      elements.listened.begin(type);
      return { doc: elements.doc, closed: elements.hosts.opened().length };
    },
    boxes: (params: Operations["boxes"]["params"]) => boxes(elements, params),
    ...detailOperations(elements),
  };
}

function describe(elements: Elements, params: Operations["describe"]["params"]): Operations["describe"]["answer"] {
  const element = elements.find(params);
  if (element) {
    const describer = describerOf(elements);
    const locators = params.locate ? { locators: locatorsOf(element, describer) } : {};
    return { state: "here", ...describer.describe(element), ...locators };
  }
  const gone = elements.gone(params);
  const replacement = gone.why === "removed" ? findOnly(elements, params.role, params.name) : undefined;
  return replacement ? { ...gone, replacement } : gone;
}

/** Knows nothing yet: what it caches holds for one answer. */
function describerOf(elements: Elements): Describer {
  return new Describer(elements, new Names(new Reading({ whole: false })));
}

function namingOf(elements: Elements): Naming {
  return {
    describe: (element) => describerOf(elements).describe(element),
    isSecret: (field) => isSecret(field, new Reading({ whole: false })),
    only: (role, name) => findOnly(elements, role, name),
  };
}

/** The one element that has the role and name now. */
function findOnly(elements: Elements, role: string | undefined, name: string | undefined): Described | undefined {
  if (!role || !name) return undefined;
  const { visible, found } = query(elements, { by: "role", value: role, name: { text: name, how: "exact" }, max: 1 });
  const [first] = found;
  return visible === 1 ? first : undefined;
}
