/**
 * Reads of the DOM that page content cannot shadow. `<form><input name="children">` makes `form.children` the input,
 * and `<img name="body">` makes `document.body` the image, in every world; the prototypes' own getters are not fooled.
 */

function getter<Value>(prototype: object, name: string): (target: Node) => Value {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`Cannot read the page: no getter for "${name}"`);
  return (target) => get.call(target) as Value;
}

function htmlGetter<Value>(name: string): (target: Element) => Value | undefined {
  const get = getter<Value>(HTMLElement.prototype, name);
  return (target) => (target instanceof HTMLElement ? get(target) : undefined);
}

export const nodeTypeOf = getter<number>(Node.prototype, "nodeType");
export const firstChildOf = getter<Node | null>(Node.prototype, "firstChild");
export const nextSiblingOf = getter<Node | null>(Node.prototype, "nextSibling");
export const parentNodeOf = getter<Node | null>(Node.prototype, "parentNode");
const parentElement = getter<Element | null>(Node.prototype, "parentElement");
export const textContentOf = getter<string | null>(Node.prototype, "textContent");
export const isConnected = getter<boolean>(Node.prototype, "isConnected");
export const nodeDocumentOf = getter<Document | null>(Node.prototype, "ownerDocument");
/** Lower case in HTML documents. */
export const contentTypeOf = getter<string>(Document.prototype, "contentType");
export const tagOf = getter<string>(Element.prototype, "localName");
const openRootOf = getter<ShadowRoot | null>(Element.prototype, "shadowRoot");
export const childElementsOf = getter<HTMLCollection>(Element.prototype, "children");
export const previousElementOf = getter<Element | null>(Element.prototype, "previousElementSibling");
export const nextElementOf = getter<Element | null>(Element.prototype, "nextElementSibling");
export const outerHtmlOf = getter<string>(Element.prototype, "outerHTML");
export const childNodesOf = getter<NodeList>(Node.prototype, "childNodes");
export const namespaceOf = getter<string | null>(Element.prototype, "namespaceURI");
export const attributesOf = getter<NamedNodeMap>(Element.prototype, "attributes");
const elementSlot = getter<HTMLSlotElement | null>(Element.prototype, "assignedSlot");
const textSlot = getter<HTMLSlotElement | null>(Text.prototype, "assignedSlot");
const documentElement = getter<Element | null>(Document.prototype, "documentElement");
const bodyOf = getter<HTMLElement | null>(Document.prototype, "body");
const baseUriOf = getter<string>(Node.prototype, "baseURI");
const urlOf = getter<string>(Document.prototype, "URL");
/** Before transforms; undefined for what is no HTML. CSS pixels. */
export const offsetWidthOf = htmlGetter<number>("offsetWidth");
export const offsetHeightOf = htmlGetter<number>("offsetHeight");
const activeOf = getter<Element | null>(Document.prototype, "activeElement");

const {
  getElementsByTagName,
  getAttribute,
  hasAttribute,
  getBoundingClientRect,
  querySelectorAll,
  matches,
  closest,
  checkVisibility,
} = Element.prototype;
const { querySelectorAll: queryFragment } = DocumentFragment.prototype;
const { querySelectorAll: queryDocument } = Document.prototype;
const { getRootNode, contains } = Node.prototype;

/** Closed roots that the debugger has handed over. */
const closedRoots = new WeakMap<Element, ShadowRoot>();

export function adoptShadowRoot(host: Element, root: ShadowRoot): void {
  closedRoots.set(host, root);
}

/** Open, or closed and handed over. */
export function shadowRootOf(element: Element): ShadowRoot | null {
  return openRootOf(element) ?? closedRootOf(element) ?? null;
}

export function closedRootOf(element: Element): ShadowRoot | undefined {
  return closedRoots.get(element);
}

export const ELEMENT = 1;
export const TEXT = 3;

export function isElement(node: Node | null | undefined): node is Element {
  return !!node && nodeTypeOf(node) === ELEMENT;
}

export function attributeOf(element: Element, name: string): string | null {
  return getAttribute.call(element, name);
}

export function has(element: Element, name: string): boolean {
  return hasAttribute.call(element, name);
}

export function rectOf(element: Element): DOMRect {
  return getBoundingClientRect.call(element);
}

export function elementMatches(element: Element, css: string): boolean {
  return matches.call(element, css);
}

/** The element itself or the nearest ancestor in its tree that matches. */
export function closestOf(element: Element, css: string): Element | null {
  return closest.call(element, css);
}

const SHOWN = { visibilityProperty: true };
const SHOWN_OPAQUELY = { visibilityProperty: true, opacityProperty: true };

/** True when the element has a box that `visibility` does not hide. */
export function isRendered(element: Element): boolean {
  return checkVisibility.call(element, SHOWN);
}

/** True when neither the element nor an ancestor is fully transparent, besides. */
export function isOpaquelyRendered(element: Element): boolean {
  return checkVisibility.call(element, SHOWN_OPAQUELY);
}

export function rootOf(node: Node): Node {
  return getRootNode.call(node);
}

export function includes(container: Node, node: Node): boolean {
  return contains.call(container, node);
}

/** Elements of one tree (shadow roots not entered) that match, in document order. */
export function queryAll(root: Node, css: string): Element[] {
  const type = nodeTypeOf(root);
  const query = type === 9 ? queryDocument : type === 11 ? queryFragment : querySelectorAll;
  return [...(query as (this: Node, css: string) => NodeListOf<Element>).call(root, css)];
}

/** Live, and found as far as it is asked for. */
export function elementsIn(element: Element): HTMLCollectionOf<Element> {
  return getElementsByTagName.call(element, "*");
}

/** Has it more elements in it than that? Costs no more than to count so far. */
export function holdsMoreThan(count: number, element: Element): boolean {
  return elementsIn(element)[count] !== undefined;
}

/** The element's parent element, or the host of the shadow root it is the top of. */
export function parentOf(element: Element): Element | undefined {
  const parent = parentElement(element);
  if (parent) return parent;
  const node = parentNodeOf(element);
  return node instanceof ShadowRoot ? node.host : undefined;
}

/** The parent in the tree as it is drawn: the slot for a slotted element. */
export function flatParentOf(element: Element): Element | undefined {
  return elementSlot(element) ?? parentOf(element);
}

export function slotOf(node: Node): HTMLSlotElement | null {
  const type = nodeTypeOf(node);
  return type === ELEMENT ? elementSlot(node) : type === TEXT ? textSlot(node) : null;
}

/** What a slot was given; undefined for other elements, and for a slot that shows its own content. */
export function assignedTo(element: Element): Node[] | undefined {
  if (!(element instanceof HTMLSlotElement)) return undefined;
  const assigned = element.assignedNodes();
  return assigned.length > 0 ? assigned : undefined;
}

/** The nodes drawn inside an element: a shadow root's instead of light ones, what a slot was given instead of its own. */
export function flatChildrenOf(element: Element): Node[] {
  const assigned = assignedTo(element);
  if (assigned) return assigned;
  const children: Node[] = [];
  for (let child = firstChildOf(shadowRootOf(element) ?? element); child; child = nextSiblingOf(child)) {
    children.push(child);
  }
  return children;
}

export function rootElement(): Element | null {
  return documentElement(document);
}

export function documentUrl(): string {
  return urlOf(document);
}

/** What relative addresses are relative to. */
export function baseUrl(): string {
  return baseUriOf(document);
}

export function body(): HTMLElement | null {
  return bodyOf(document);
}

/** The element with the keyboard focus, however deep in shadow roots. */
export function focusedElement(): Element | null {
  let focused = activeOf(document);
  while (focused) {
    const inner = shadowRootOf(focused)?.activeElement;
    if (!inner) return focused;
    focused = inner;
  }
  return null;
}

/** Nearest match of the element or an ancestor, shadow hosts included. */
export function closestAcross(element: Element, css: string): Element | undefined {
  for (let current: Element | undefined = element; current; ) {
    const found = closestOf(current, css);
    if (found) return found;
    const root = rootOf(current);
    current = root instanceof ShadowRoot ? root.host : undefined;
  }
  return undefined;
}

/** The elements an attribute names by id, in its order, each once. */
export function referenced(element: Element, attribute: string): Element[] {
  const value = attributeOf(element, attribute);
  if (!value) return [];
  const root = rootOf(element);
  const found = new Set<Element>();
  for (const id of value.split(/[ \t\n\f\r]+/)) {
    if (!id) continue;
    const target = elementById(root, id);
    if (target) found.add(target);
  }
  return [...found];
}

function elementById(root: Node, id: string): Element | undefined {
  if (root instanceof Document) return Document.prototype.getElementById.call(root, id) ?? undefined;
  return nodeTypeOf(root) === 11 ? (queryAll(root, `#${CSS.escape(id)}`)[0] ?? undefined) : undefined;
}

/** Text with white space folded to single spaces, and marks that nobody sees (soft hyphen, zero-width space) left out. */
export function fold(text: string): string {
  if (!UNFOLDED.test(text)) return text;
  return text
    .replace(/[\u200b\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Most names are folded as they stand. */
const UNFOLDED = /[^\S ]|[\u200b\u00ad]|^ | $| {2}/;
